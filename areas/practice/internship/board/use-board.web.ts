import { keepPreviousData } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useParams, useSearchParams } from '#kit/web/router/index.ts'
import type { PlannedRotations } from '../plan/plan.contract.ts'
import { rotationBoardCalls, type RotationBoard } from './board.contract.ts'
import {
  rotationBars,
  barsOfPlan,
  overfullBars,
  overfullDays,
  overfullWeeks,
  soughtBars,
  soughtInterns,
  type RotationBar,
  type Sought,
} from './board.rules.ts'

const ONLY = ['overfull', 'changed', 'waiting'] as const

/** What is looked for: it stands in the address. */
export function useSought() {
  const [query, setQuery] = useSearchParams()
  const name = query.get('name') ?? ''
  const hospital = Number(query.get('hospital')) || null
  const course = Number(query.get('course')) || null
  const only = ONLY.find((one) => one === query.get('only')) ?? null
  const sought = useMemo<Sought>(() => ({ name, hospital, course, only }), [name, hospital, course, only])
  const set = (next: Readonly<Record<string, string | null>>) =>
    setQuery(
      (before) => {
        const all = new URLSearchParams(before)
        for (const [key, value] of Object.entries(next)) {
          if (value) all.set(key, value)
          else all.delete(key)
        }
        return all
      },
      { replace: true },
    )
  return { sought, set }
}

export function useRotationBoard() {
  const id = Number(useParams().id)
  return useCall(rotationBoardCalls.rotationBoard, { params: { id } }, { placeholderData: keepPreviousData })
}

const NO_BARS: readonly RotationBar[] = []
/** The rows of the board with their bars, as what stands or as a plan has it. */
export function useRows(board: RotationBoard, plan: PlannedRotations | null, given: Sought) {
  const sought = useDeferredValue(given)
  const bars = useMemo(() => (plan ? barsOfPlan(board, plan) : rotationBars(board)), [board, plan])
  const days = useMemo(() => overfullDays(board, bars), [board, bars])
  const overfull = useMemo(() => overfullBars(bars, days), [bars, days])
  const weeks = useMemo(() => overfullWeeks(board.year.weeks, days), [board, days])
  const byWho = useMemo(() => Map.groupBy(bars, ({ student_id }) => student_id), [bars])
  const isSought = useMemo(() => soughtBars(board, sought, overfull), [board, sought, overfull])
  const interns = useMemo(() => soughtInterns(board, sought, byWho, isSought), [board, sought, byWho, isSought])
  const rows = useMemo(() => interns.map((one) => byWho.get(one.id) ?? NO_BARS), [interns, byWho])
  const leaves = useMemo(() => Map.groupBy(board.leaves, ([who]) => who), [board])
  return { interns, rows, overfull, days, weeks, isSought, leaves }
}
export type BoardRows = ReturnType<typeof useRows>
