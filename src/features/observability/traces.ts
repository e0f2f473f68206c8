/**
 * Spans for measuring latencies across processes. A turn contains the requests to the model, the tools with their commands, the
 * waits for a person, and the writes to a chat platform. The spans of a sub-agent are part of its parent's turn. Spans carry
 * ids, names from the code and numbers, but no messages, files or commands.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { isTurnOver, type State } from "../../machine/state.ts";
import type { Clock } from "../../ports/host.ts";
import type { Observer, PortObserver } from "../../ports/observer.ts";

/** `logFields` adds the ids of the trace and the span to a log line. */
type Traces = PortObserver & Pick<Observer, "heard" | "logFields">;

/** Maximum number of remembered last turns, for deliveries after the end of a turn. */
const REMEMBERED = 1_000;

interface Turn {
  readonly span: Span;
  readonly context: Context;
  /** Open while the turn waits for a person's answer. */
  approval: Span | null;
  attempt: number;
  isOver: boolean;
}

export const createTraces = (tracer: Tracer, clock: Pick<Clock, "now">): Traces => {
  const turns = new Map<string, Turn>();
  const current = new AsyncLocalStorage<Context>();

  const contextOf = (conversation: string): Context => turns.get(conversation)?.context ?? ROOT_CONTEXT;

  /** A sub-agent's turn is part of its parent's turn, which waits for the sub-agent. */
  const begin = (id: ConversationId, parent: ConversationId | null): Turn => {
    const attributes = { [CONVERSATION]: id, ...(parent === null ? {} : { [PARENT]: parent }) };
    const around = parent === null ? ROOT_CONTEXT : contextOf(parent);
    const span = tracer.startSpan("turn", { attributes }, around);
    const context = trace.setSpan(around, span);
    const turn: Turn = { span, context, approval: null, attempt: 1, isOver: false };
    turns.delete(id);
    turns.set(id, turn);
    forgetOldest();
    return turn;
  };

  /** Forgets the oldest ended turn. A running turn may wait for a person for days, so it is kept. */
  const forgetOldest = (): void => {
    if (turns.size <= REMEMBERED) return;
    for (const [id, { isOver }] of turns) {
      if (!isOver) continue;
      turns.delete(id);
      return;
    }
  };

  const follow = (id: ConversationId, { phase, parent }: State): void => {
    const known = turns.get(id);
    const isPast = isTurnOver(phase);
    if (isPast && (known === undefined || known.isOver)) return;
    const turn = known === undefined || known.isOver ? begin(id, parent) : known;
    if (phase.kind === "thinking") turn.attempt = phase.attempt;
    if (phase.kind === "awaitingApproval") {
      turn.approval ??= tracer.startSpan("approval", { attributes: { [CONVERSATION]: id } }, turn.context);
    } else {
      turn.approval?.end();
      turn.approval = null;
    }
    if (!isPast) return;
    turn.isOver = true;
    turn.span.setAttribute("parley.phase", phase.kind);
    if (phase.kind === "failed") turn.span.setStatus({ code: SpanStatusCode.ERROR });
    turn.span.end();
  };

  const gone = (id: ConversationId): void => {
    const turn = turns.get(id);
    turn?.approval?.end();
    if (turn?.isOver === false) turn.span.end();
    turns.delete(id);
  };

  /** Runs a task of a port in a span. Ports must not reject; a rejection marks the span as an error. */
  const within = async <T>(
    name: string,
    parent: Context,
    attributes: Attributes,
    task: (span: Span) => Promise<T>,
  ): Promise<T> => {
    const span = tracer.startSpan(name, { attributes }, parent);
    try {
      return await current.run(trace.setSpan(parent, span), () => task(span));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    heard: (id, change) => {
      if (change.kind === "state") follow(id, change.overview.state);
      if (change.kind === "gone") gone(id);
    },
    model: (model) => ({
      ...model,
      respond: (request, hooks) => {
        const { conversation, model: name } = request;
        const attributes = {
          [CONVERSATION]: conversation,
          "gen_ai.request.model": name,
          "parley.attempt": turns.get(conversation)?.attempt ?? 1,
        };
        return within("model", contextOf(conversation), attributes, async (span) => {
          const answer = await model.respond(request, hooks);
          span.setAttribute(OUTCOME, answer.kind);
          if (answer.kind === "answered") {
            const { input, output, cacheRead, cacheWrite, costMicroUsd } = answer.usage;
            span.setAttributes({
              "gen_ai.usage.input_tokens": input,
              "gen_ai.usage.output_tokens": output,
              "parley.cache_read_tokens": cacheRead,
              "parley.cache_write_tokens": cacheWrite,
              "parley.cost_micro_usd": costMicroUsd,
            });
          }
          if (answer.kind === "failed") {
            span.setAttribute("error.type", answer.failure.kind);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          return answer;
        });
      },
    }),
    tools: (tools) => {
      const known = new Set(tools.specs.map(({ name }) => name));
      return {
        ...tools,
        run: (run, hooks) => {
          const { id } = run.conversation;
          // The model may call tools that do not exist, under any name.
          const tool = known.has(run.name) ? run.name : "unknown";
          const attributes = { [CONVERSATION]: id, "parley.tool": tool, "parley.permission": run.permission };
          return within("tool", contextOf(id), attributes, async (span) => {
            const result = await tools.run(run, hooks);
            span.setAttribute(OUTCOME, result.isError ? "error" : "done");
            return result;
          });
        },
      };
    },
    sandbox: (sandbox) => ({
      ...sandbox,
      run: (request, hooks) => {
        const { profile, network } = request.policy;
        const attributes = { "parley.profile": profile, "parley.network": network };
        return within("command", current.getStore() ?? ROOT_CONTEXT, attributes, async (span) => {
          const began: Millis = clock.now();
          const result = await sandbox.run(request, hooks);
          span.setAttribute(OUTCOME, result.kind);
          if (result.kind === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
          else {
            span.setAttributes({
              "parley.start_ms": Math.max(0, Math.round(clock.now() - began - result.durationMs)),
              "parley.output_bytes": result.total,
            });
          }
          return result;
        });
      },
    }),
    surface: (name, surface) => ({
      ...surface,
      apply: (operation) => {
        const { conversation } = operation.thread;
        const attributes = {
          [CONVERSATION]: conversation,
          "parley.surface": name,
          "parley.operation": operation.kind,
        };
        return within("delivery", contextOf(conversation), attributes, async (span) => {
          const outcome = await surface.apply(operation);
          span.setAttribute(OUTCOME, outcome.kind);
          if (outcome.kind === "throttled") span.setAttribute("parley.retry_after_ms", outcome.retryAfter);
          if (outcome.kind === "refused" || outcome.kind === "unknown") {
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          return outcome;
        });
      },
    }),
    logFields: ({ conversation }) => {
      const context =
        current.getStore() ?? (typeof conversation === "string" ? contextOf(conversation) : ROOT_CONTEXT);
      const span = trace.getSpanContext(context);
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
    },
  };
};

const CONVERSATION = "gen_ai.conversation.id";
const PARENT = "parley.parent_conversation";
const OUTCOME = "parley.outcome";
