/* oxlint-disable react/set-state-in-effect -- only a new answer can make a page vanish */
import { useMemo, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { ApiError, useCall } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { listBody } from './address.ts'
import type { ListState } from './address.ts'
import type { AnyRow } from './columns.ts'

/** An answer and what was asked for it: they are shown together or not at all. */
interface Answered<R> {
  readonly data: readonly R[]
  readonly count: number
  readonly state: ListState
}

/**
 * The rows of a list with their count, and the page, order and size they were asked with. While the next question waits,
 * or finds no connection, everything on the screen stays that of the last answer, and says so.
 */
export function useListAnswer<R extends AnyRow>({
  call,
  params,
  state,
  fixed,
  wait,
}: {
  call: AnyCall
  params?: Readonly<Record<string, unknown>> | undefined
  state: ListState
  fixed?: Readonly<Record<string, unknown>> | undefined
  /** What is sent is not known yet. */
  wait?: boolean | undefined
}) {
  const body = useMemo(() => listBody(state, fixed), [state, fixed])
  const { data, error, failureReason, fetchStatus, isFetching, isPlaceholderData, refetch } = useCall(
    call,
    { body, ...(params && { params }) } as never,
    { placeholderData: keepPreviousData, enabled: !wait },
  )
  const answer = data as { data: R[]; meta: { count: number; details?: unknown } } | undefined
  const [kept, setKept] = useState<{ of: unknown; answered: Answered<R> } | null>(null)
  let shown = kept
  const arrived = answer !== undefined && !isPlaceholderData
  if (arrived && (kept?.of !== answer || kept.answered.state !== state)) {
    shown = { of: answer, answered: { data: answer.data, count: answer.meta.count, state } }
    setKept(shown)
  }
  const answered = shown?.answered
  const offline =
    fetchStatus === 'paused' || [error, failureReason].some((e) => e instanceof ApiError && e.status === 0)
  return {
    body,
    rows: answered?.data,
    count: answered?.count ?? 0,
    /** What the last answer says of all rows together. */
    details: answer?.meta.details,
    /** What the rows were asked with. */
    asked: answered?.state ?? state,
    /** The rows are those of an earlier question. */
    stale: answered !== undefined && !arrived,
    /** There is no connection to ask through. */
    offline: offline && answered !== undefined,
    /** Nothing can be shown: a refusal, for which nothing of an earlier question stands in, or no connection from the first. */
    error: error && !arrived && !(offline && answered) ? error : null,
    isFetching,
    refetch,
  }
}
