import type { QueryClient, QueryKey, UseMutationResult, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { send } from './client.ts'
import type { AnyCall, SendArgs, SendInput } from './client.ts'
import type { ApiError } from './error.ts'

/** Key under which an answer is kept: path first, so that everything below a path can be refreshed together. */
export const keyOf = (call: AnyCall, input?: unknown): QueryKey => {
  const { signal: _signal, onProgress: _progress, ...rest } = (input ?? {}) as Record<string, unknown>
  return [call.path, call.method, rest]
}

/** First segment of a path: changes below it refresh everything below it, unless told otherwise. */
const rootOf = (path: string): string => `/${path.split('/')[1] ?? ''}`

/** Marks cached answers of calls at or below these paths as stale, so that visible ones are fetched again. */
export const refresh = (client: QueryClient, ...paths: readonly string[]): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && paths.some((p) => path === p || path.startsWith(p.endsWith('/') ? p : `${p}/`)),
  })

export type CallOptions<C, Out = ResponseOf<C>> = Omit<
  UseQueryOptions<ResponseOf<C>, ApiError, Out>,
  'queryKey' | 'queryFn'
>

/** The query behind `useCall`, for loaders and prefetching. */
export const queryOf = <C extends AnyCall>(call: C, input?: SendInput<C>) => ({
  queryKey: keyOf(call, input),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    send(call, ...([{ ...input, signal }] as unknown as SendArgs<C>)) as Promise<ResponseOf<C>>,
})

/**
 * Reads through a call and keeps the answer.
 * @example const { data } = useCall(facultyCalls.get, { params: { id } })
 */
export const useCall = <C extends AnyCall, Out = ResponseOf<C>>(
  call: C,
  input?: SendInput<C>,
  options?: CallOptions<C, Out>,
): UseQueryResult<Out, ApiError> =>
  useQuery<ResponseOf<C>, ApiError, Out>({ ...queryOf(call, input), ...options } as UseQueryOptions<
    ResponseOf<C>,
    ApiError,
    Out
  >)

/**
 * Makes a changing call. After its answer, everything below the paths in `invalidates` is fetched again (by default
 * the first segment of the call's own path). The caller handles refusals; show them with `notify.error` or at fields.
 * @example const save = useSend(calls.update); save.mutate({ params: { id }, body })
 */
export function useSend<C extends AnyCall>(
  call: C,
  options: {
    invalidates?: readonly (AnyCall | string)[]
    onDone?: (answer: ResponseOf<C>, input: SendInput<C>) => void
    onError?: (error: ApiError, input: SendInput<C>) => void
  } = {},
): UseMutationResult<ResponseOf<C>, ApiError, SendInput<C>> {
  const client = useQueryClient()
  return useMutation<ResponseOf<C>, ApiError, SendInput<C>>({
    mutationFn: (input) => send(call, ...([input] as unknown as SendArgs<C>)),
    onSuccess: async (answer, input) => {
      const paths = options.invalidates?.map((invalidate) =>
        typeof invalidate === 'string' ? invalidate : (invalidate.path as string),
      ) ?? [rootOf(call.path)]
      void refresh(client, ...paths)
      options.onDone?.(answer, input)
    },
    onError: (error, input) => options.onError?.(error, input),
  })
}

/** Something that a component changes, and what became of it. */
export interface Change {
  /** While it goes on. */
  readonly busy: boolean
  /** Why it was refused, until the next try; null: it was not. Shown by `<Problems>` where the work is. */
  readonly problem: unknown
  /** Does it, and asks again for what it changes. null: it was refused. */
  go<Answer>(work: () => Promise<Answer>): Promise<{ readonly answer: Answer } | null>
  /**
   * Sends a call; what it changes is asked again when it has answered (by `go`, once, when all is done). Outside `go` a
   * refusal reaches the caller: `act`, a form, a list.
   */
  readonly send: typeof send
  /** Forgets the refusal: what was refused is no longer what stands there. */
  forget(): void
}

/**
 * How a component changes something: with its own `send`, after which everything below the paths is fetched again, and
 * with `go`, whose refusals are shown where the user works: several calls in a row, a dialog, an editor. Components
 * never send in another way. @example const { busy, problem, go, send } = useChange('/offerings'); if (await go(() =>
 * send(calls.sync, …))) onClose()
 */
export function useChange(...refreshes: readonly string[]): Change {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const going = useRef(0)
  const sendAndAsk = async (call: AnyCall, ...input: SendArgs<AnyCall>) => {
    const answer = await send(call, ...input)
    if (!going.current && refreshes.length) void refresh(client, ...refreshes)
    return answer
  }
  return {
    busy,
    problem,
    send: sendAndAsk as typeof send,
    forget: () => setProblem(null),
    async go(work) {
      setBusy(true)
      setProblem(null)
      going.current += 1
      try {
        const answer = await work()
        await refresh(client, ...refreshes)
        return { answer }
      } catch (refusal) {
        setProblem(refusal)
        return null
      } finally {
        going.current -= 1
        setBusy(false)
      }
    },
  }
}
