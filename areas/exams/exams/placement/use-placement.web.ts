import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { confirm, notify } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import {
  DEFAULT_WEIGHTS,
  examPlacementCalls,
  type PlacementFigures,
  type PlacementRun,
  type WeightName,
} from './placement.contract.ts'

interface Live {
  readonly id: number
  readonly exam_id: number
  readonly state: string
  readonly progress: number
  readonly cost: PlacementFigures
}
/** How long it looks unless told otherwise, seconds. */
const USUAL_SECONDS = 30

/** The last run of automatic placement, as far as it is now, and what can be done with it. */
export function usePlacement(exam_id: number, movable: boolean) {
  const t = useT('exams')
  const me = useMe()
  const { data, refetch } = useCall(examPlacementCalls.last, { params: { id: exam_id } })
  const { busy, problem, go, send, forget } = useChange('/exam-schedules', '/exams')
  const [seconds, setSeconds] = useState(USUAL_SECONDS)
  const [given, setGiven] = useState<Partial<Record<WeightName, number>>>({})
  const [live, setLive] = useState<Live | null>(null)
  useEvent('exam_placement', (told) => {
    const now = told as Live
    if (now.exam_id !== exam_id) return
    setLive(now)
    if (now.state !== 'running') void refetch()
  })
  const run = data?.data ?? null
  // However its job ends, the run ends with it.
  useEvent('job', (told) => {
    const { id, state } = told as { id: string; state: string }
    if (id === run?.job_id && state !== 'running' && state !== 'queued') void refetch()
  })
  const running = run?.state === 'running'
  const mayPlace = me.can('place_exam')
  const begin = (weights: Partial<Record<WeightName, number>>) => {
    forget()
    setLive(null)
    return go(() => send(examPlacementCalls.place, { body: { exam_id, seconds, weights } }))
  }
  return {
    run,
    busy,
    problem,
    running,
    /** A plan that waits for somebody to take it or throw it away. */
    proposal: mayPlace && movable && run?.state === 'proposed' ? run : null,
    failed: mayPlace && run?.state === 'failed',
    shown: mayPlace && (movable || running),
    movable,
    progress: live && live.id === run?.id ? live.progress : (run?.progress ?? 0),
    cost: running && live?.id === run.id ? live.cost : (run?.cost ?? null),
    seconds,
    setSeconds,
    weights: { ...DEFAULT_WEIGHTS, ...given },
    isUsual: Object.entries(given).every(([name, value]) => DEFAULT_WEIGHTS[name as WeightName] === value),
    weigh: (name: WeightName, value: number) => setGiven({ ...given, [name]: value }),
    /** As most exams are placed. */
    asUsual: () => {
      setGiven({})
      setSeconds(USUAL_SECONDS)
    },
    place: () => begin(given),
    repair: (must_move: readonly number[]) => {
      forget()
      setLive(null)
      return go(() => send(examPlacementCalls.repair, { body: { exam_id, must_move: [...must_move] } }))
    },
    stop: () => {
      forget()
      return go(() => send(examPlacementCalls.stop, { params: { id: run!.id } }))
    },
    discard: () => {
      forget()
      return go(() => send(examPlacementCalls.discard, { params: { id: run!.id } }))
    },
    take: async (of: PlacementRun) => {
      forget()
      const unplaced = of.cost?.unplaced ?? 0
      const incomplete = unplaced > 0
      const count = of.changes.length
      const sure = await confirm({
        title: t('take'),
        consequence: [
          t('take_moves', { count }),
          ...(incomplete ? [t('take_incomplete', { count: unplaced })] : []),
        ].join(' '),
        action: t('take'),
      })
      if (!sure) return
      const done = await go(() => send(examPlacementCalls.take, { params: { id: of.id }, body: { incomplete } }))
      if (done) notify.done(t('taken_count', { count }))
    },
  }
}
export type ExamPlacing = ReturnType<typeof usePlacement>
