import { useEffect, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { confirm, notify } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { PLAN_SECONDS, rotationPlanCalls as calls, type RotationPlanRun } from './plan.contract.ts'

interface Live {
  readonly id: number
  readonly year_id: number
  readonly state: string
  readonly progress: number
  readonly cost: number | null
}

/** The last plan of a year, as far as it is now, and what can be done with it. */
export function useRotationPlan(year_id: number, onRun: (run: RotationPlanRun | null) => void) {
  const t = useT('internship')
  const { data, error, refetch } = useCall(calls.last, { params: { id: year_id } })
  const { busy, problem, go, send, forget } = useChange('/emtyaz', '/emtyaz-rotations', '/emtyaz-interns')
  const [seconds, setSeconds] = useState<number>(PLAN_SECONDS.plan)
  const [keep, setKeep] = useState(false)
  const [live, setLive] = useState<Live | null>(null)
  const run = data?.data ?? null
  useEvent('rotation_plan', (told) => {
    const now = told as Live
    if (now.year_id !== year_id) return
    setLive(now)
    if (now.state !== 'running') void refetch()
  })
  // However its job ends, the plan ends with it.
  useEvent('job', (told) => {
    const { id, state } = told as { id: string; state: string }
    if (id === run?.job_id && state !== 'running' && state !== 'queued') void refetch()
  })
  useEffect(() => onRun(run), [run, onRun])
  const begin = (look: () => Promise<unknown>) => {
    forget()
    setLive(null)
    return go(look)
  }
  const of = live && live.id === run?.id ? live : null
  return {
    run,
    error,
    refetch,
    busy,
    problem,
    seconds,
    setSeconds,
    keep,
    setKeep,
    running: run?.state === 'running',
    progress: of?.progress ?? run?.progress ?? 0,
    /** What the best so far costs. */
    cost: of?.cost ?? null,
    plan: () => begin(() => send(calls.plan, { body: { year_id, seconds, keep } })),
    repair: () => begin(() => send(calls.repair, { body: { year_id, seconds: PLAN_SECONDS.repair } })),
    stop: () => begin(() => send(calls.stop, { params: { id: run!.id } })),
    discard: () => begin(() => send(calls.discard, { params: { id: run!.id } })),
    take: async (of: RotationPlanRun) => {
      forget()
      const changes = of.changes
      const sure = await confirm({
        title: t('plan_take'),
        consequence: t('plan_take_text', {
          added: (changes?.added ?? 0) + (changes?.accepted ?? 0),
          removed: changes?.removed ?? 0,
        }),
        action: t('plan_take'),
      })
      if (sure && (await go(() => send(calls.take, { params: { id: of.id } })))) notify.done(t('plan_taken'))
    },
  }
}
export type RotationPlanning = ReturnType<typeof useRotationPlan>
