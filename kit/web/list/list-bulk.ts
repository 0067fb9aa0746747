import { createElement, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, send } from '../api/index.ts'
import type { AnyCall } from '../api/index.ts'
import { confirm, notify } from '../feedback/index.ts'
import { nameOf, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { foresee, StayNote } from './foresee.tsx'
import { runBulk } from './bulk.tsx'
import type { BulkAction, RowResult } from './bulk.tsx'
import type { AnyRow } from './columns.ts'
import { NOTHING, isSelected, selectedCount } from './selection.ts'
import type { Selection } from './selection.ts'
import { ALL_LIMIT } from './selection-bar.tsx'

/** Doing something with the selected rows of a list, over all its pages. */
export function useListBulk<R extends AnyRow>({
  call,
  params,
  body,
  rows,
  count,
  selection,
  setSelection,
  rowName,
}: {
  call: AnyCall
  params?: Readonly<Record<string, unknown>> | undefined
  body: Readonly<Record<string, unknown>>
  rows: readonly R[] | undefined
  count: number
  selection: Selection
  setSelection: (next: Selection) => void
  rowName?: ((row: R) => string) | undefined
}) {
  const t = useT('kit-screens')
  const client = useQueryClient()
  const [work, setWork] = useState<{
    action: BulkAction
    total: number
    done: number
    results: RowResult[] | null
  } | null>(null)
  const selected = selectedCount(selection, count)
  // Kept from before the action: a row that moved on stands in no list any more when its result is told.
  const names = useRef(new Map<number, string>())
  const seen = useRef(new Map<number, R>())
  const remember = (some: readonly R[]) => {
    for (const row of some) {
      seen.current.set(row.id, row)
      const called = rowName?.(row) || nameOf(row as Named)
      if (called) names.current.set(row.id, called)
    }
  }
  // What was chosen on a page that was left is still known.
  useEffect(() => {
    for (const row of rows ?? []) seen.current.set(row.id, row)
  }, [rows])
  const again = () => refresh(client, `/${(call.path as string).split('/')[1]}`)
  const ids = async (): Promise<number[]> => {
    if (!selection.all) return [...selection.ids]
    const found: number[] = []
    for (let page = 1; found.length < Math.min(count, ALL_LIMIT); page++) {
      const part = (await send(call, {
        ...(params && { params }),
        body: { ...body, page, perPage: 500 },
      } as never)) as {
        data: R[]
      }
      found.push(...part.data.map((row) => row.id))
      remember(part.data)
      if (part.data.length < 500) break
    }
    return found.filter((id) => isSelected(selection, id))
  }
  const run = async (action: BulkAction) => {
    remember(rows ?? [])
    let wanted: number[]
    try {
      wanted = await ids()
    } catch (problem) {
      return notify.error(problem)
    }
    // What is asked, and the number that is typed, are of what really happens. What the list has not shown is left to the server.
    const { able: chosen, stay } = foresee(action, wanted, seen.current, t('bulk_not_its_turn'))
    const known = chosen.flatMap((id) => seen.current.get(id) ?? [])
    const note = stay.size > 0 ? createElement(StayNote, { stay }) : null
    // What cannot be taken back is asked first, and says how many and whom it concerns.
    const question =
      action.confirm?.(chosen.length, known) ??
      (action.undo || action.asks
        ? null
        : { title: t('bulk_question', { action: action.label, count: chosen.length }), action: action.label })
    const whom = { count: chosen.length, names: known.flatMap((row) => names.current.get(row.id) ?? []) }
    const danger = action.tone === 'refused'
    const heavy = action.heavy ?? (danger || !action.confirm)
    if (question) {
      const consequence = note ? createElement('div', null, question.consequence, note) : question.consequence
      if (!(await confirm({ ...question, consequence, whom, danger, heavy }))) return
    }
    const title = { action, total: chosen.length, done: 0, results: null }
    // What asks has a dialog of its own open.
    if (!action.asks) setWork(title)
    try {
      const results = await runBulk(action, chosen, (done) => setWork({ ...title, done }), whom, { rows: known, note })
      // Thought better of: everything stays as it was chosen.
      if (!results.length) return setWork(null)
      void again()
      setSelection(NOTHING)
      if (results.every((r) => !r.errors) && action.undo) {
        setWork(null)
        notify.undo(t('bulk_done', { count: results.length, action: action.label }), async () => {
          await action.undo?.(chosen)
          void again()
        })
      } else setWork({ ...title, done: chosen.length, results })
    } catch (problem) {
      setWork(null)
      notify.error(problem)
    }
  }
  return {
    selected,
    ids,
    run,
    work,
    close: () => setWork(null),
    // In the reader's language where it is known; the answer has one name for everybody.
    nameOf: (id: number, told?: string) => names.current.get(id) ?? told ?? `#${id}`,
  }
}
