// Troupe: actors for C++. This header has all of it.
#pragma once

#include <troupe/core/adapter.hpp>
#include <troupe/core/behaviour.hpp>
#include <troupe/core/children.hpp>
#include <troupe/core/completion.hpp>
#include <troupe/core/context.hpp>
#include <troupe/core/error.hpp>
#include <troupe/core/lifecycle.hpp>
#include <troupe/core/middleware.hpp>
#include <troupe/core/props.hpp>
#include <troupe/core/protocol.hpp>
#include <troupe/core/ref.hpp>
#include <troupe/core/supervision.hpp>
#include <troupe/core/task.hpp>
#include <troupe/core/timer.hpp>
#include <troupe/runtime/address.hpp>
#include <troupe/runtime/dispatcher.hpp>
#include <troupe/runtime/event_stream.hpp>
#include <troupe/runtime/figures.hpp>
#include <troupe/runtime/run.hpp>
#include <troupe/runtime/system.hpp>
