import { IconArrowBackUp, IconCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Problem } from '#kit/contract/schema.ts'
import { actionsFrom, bulkActions, keysOfAction, wayFrom } from '#kit/contract/workflow.ts'
import type { Action, StepCall, Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import { ApiError } from '../api/error.ts'
import { refresh, useChange } from '../api/hooks.ts'
import { useMe } from '../auth/me.ts'
import { act } from '../feedback/act.ts'
import { confirm } from '../feedback/dialogs.tsx'
import { notify } from '../feedback/notify.tsx'
import { problemText, useLabel, useT } from '../i18n/catalogue.ts'
import type { BulkAction, BulkAnswer } from '../list/bulk.tsx'
import { part } from '../later.ts'
import type { RowAction } from '../list/row-action.ts'
import { askReason } from './reason.tsx'

// Few workflows have steps that take so long.
const ProgressJob = part(async () => (await import('../detail/parts.tsx')).ProgressJob)

/** A row with a state: as its list or detail answers it. */
export interface Stateful<A extends string = string> {
  readonly id: number
  readonly version: number
  readonly abilities: readonly string[]
  /** Why an action that would be its turn cannot be taken. */
  readonly refused?: Readonly<Partial<Record<A, Problem>>>
}

/** What a screen says in its own words; where it says nothing, the workflow's words are taken. */
export interface StepTexts<R, A extends string> {
  readonly question?: (action: A, row: R) => string
  readonly questionMany?: (action: A, label: string, count: number) => string
  /** `rows`: those it happens to, as far as they are known here. */
  readonly consequence?: (action: A, rows: readonly R[]) => ReactNode
  readonly done?: (action: A, row: R) => string
  /** The focus is on Cancel: an Enter too many does nothing. */
  readonly careful?: (action: A) => boolean
}

export interface Steps<R, A extends string> {
  /** What the button of an action says on a row. */
  label(row: R, action: A): string
  /** Asks what has to be asked, takes the step, tells and refreshes. False: the person thought better of it. */
  take(row: R, action: A): Promise<boolean>
  /** The actions of a row: those that are open, and, with their reason, those that would be its turn. */
  actions(row: R): RowAction[]
  /** The one that is next, as the main button of a row or record. */
  next(row: R): RowAction | null
  /** The actions on selected rows. */
  readonly bulk: readonly BulkAction[]
  /** A step that takes long, as far as it is; a screen whose workflow has such steps shows it. */
  readonly underway: ReactNode
}

/** The actions of a workflow on selected rows: one of each is asked about all of them together. */
function useBulkSteps<S extends string, A extends string, R extends Stateful>(
  flow: Workflow<string, S, A>,
  calls: WorkflowCalls<A>,
  texts: StepTexts<R, A>,
  consequenceOf: (action: A, rows: readonly R[]) => ReactNode,
): readonly BulkAction[] {
  const t = useT('kit')
  const say = useLabel()
  const me = useMe()
  const { send } = useChange()
  const { bulk: bulkCall } = calls
  return (bulkCall ? bulkActions(flow as Workflow<string, string, A>) : []).flatMap((action): BulkAction[] => {
    const known: Action<S> = flow.actions[action]
    if (!bulkCall || !me.can(...keysOfAction(known))) return []
    const label = say(known.label)
    const sendMany = async (ids: readonly number[], progress: (done: number) => void, why?: string) => {
      const { job_id, ...answer } = await send(bulkCall, {
        params: { action },
        body: { ids: [...ids], ...(why && { reason: why }) },
      })
      return job_id
        ? (await import('../detail/parts.tsx')).endOfJob<BulkAnswer>(job_id, (percent) =>
            progress(Math.floor((percent * ids.length) / 100)),
          )
        : answer
    }
    const title = (count: number) =>
      texts.questionMany?.(action, label, count) ?? t('step_question_all', { action: label, count })
    return [
      {
        key: action,
        label,
        ...(known.tone && { tone: known.tone }),
        applies: (row) => (row as unknown as R).abilities.includes(action),
        whyNot: (row) => {
          const problem = (row as unknown as R).refused?.[action]
          return problem ? problemText(problem) : null
        },
        ...(known.reason
          ? {
              asks: true,
              run: async (ids, whom, { rows, note }, progress) => {
                const why = await askReason({
                  title: title(ids.length),
                  text: (
                    <>
                      {consequenceOf(action, rows as unknown as readonly R[])}
                      {note}
                    </>
                  ),
                  whom,
                  heavy: true,
                  action: label,
                  danger: known.tone === 'refused',
                  optional: known.reason === 'optional',
                })
                return why === null ? { done: [], failed: [] } : sendMany(ids, progress, why)
              },
            }
          : {
              heavy: true,
              confirm: (count, rows) => ({
                title: title(count),
                consequence: consequenceOf(action, rows as unknown as readonly R[]),
                action: label,
              }),
              run: (ids, _whom, _known, progress) => sendMany(ids, progress),
            }),
      },
    ]
  })
}

/**
 * Buttons and dialogs of a workflow.
 * @example const steps = useSteps(leave, leaveCalls, { name: (row) => row.code, refreshes: ['/leaves'] })
 */
export function useSteps<S extends string, A extends string, R extends Stateful>(
  flow: Workflow<string, S, A>,
  calls: WorkflowCalls<A>,
  {
    name,
    refreshes,
    texts = {},
    elsewhere,
  }: {
    name: (row: R) => string
    /** Paths whose answers a step changes. */
    refreshes: readonly string[]
    texts?: StepTexts<R, A>
    /** A refusal that the screen shows itself, where there is more room: true. */
    elsewhere?: (error: ApiError) => boolean
  },
): Steps<R, A> {
  const t = useT('kit')
  const say = useLabel()
  const me = useMe()
  const client = useQueryClient()
  const { send } = useChange()
  const stateOf = (row: R): S => (row as unknown as Record<string, S>)[flow.field] as S
  const actionOf = (action: A): Action<S> => flow.actions[action]
  const wordOf = (row: R, action: A): string =>
    say(wayFrom(flow as Workflow<string, S>, stateOf(row), action)?.label ?? actionOf(action).label)
  const consequenceOf = (action: A, rows: readonly R[]): ReactNode => {
    const { consequence } = actionOf(action)
    return texts.consequence?.(action, rows) ?? (consequence && say(consequence))
  }
  const doneText = (row: R, action: A, to: string): string => {
    const label = flow.states.find((state) => state.value === to)?.label
    return texts.done?.(action, row) ?? t('step_done', { name: name(row), state: label ? say(label) : '' })
  }

  const [job, setJob] = useState<{ id: string; done: string } | null>(null)
  const take = async (row: R, action: A): Promise<boolean> => {
    const { reason, tone } = actionOf(action)
    const label = wordOf(row, action)
    const question = {
      title: texts.question?.(action, row) ?? t('step_question', { action: label, name: name(row) }),
      action: label,
      danger: tone === 'refused',
      careful: texts.careful?.(action) ?? false,
    }
    const back = actionOf(action).takenBackBy as A | undefined
    if (back && me.can(...keysOfAction(actionOf(back)))) {
      const consequence = consequenceOf(action, [row])
      const sent = await act({
        ...(consequence && { ask: { ...question, consequence } }),
        go: () => send(calls.steps[action] as StepCall, { params: { id: row.id }, body: { version: row.version } }),
        done: ({ data }) => doneText(row, action, data.state),
        undo: async ({ data }) => {
          const body = { version: data.version, reason: t('taken_back_at_once') }
          await send(calls.steps[back] as StepCall, { params: { id: row.id }, body })
          await refresh(client, ...refreshes)
        },
      })
      if (sent) await refresh(client, ...refreshes)
      return sent !== null
    }
    let shown = false
    let later = false
    let done = ''
    const go = async (why?: string) => {
      try {
        const { job_id, data } = await send(calls.steps[action] as StepCall, {
          params: { id: row.id },
          body: { version: row.version, ...(why && { reason: why }) },
        })
        later = Boolean(job_id)
        const to = wayFrom(flow as Workflow<string, S>, stateOf(row), action)?.to
        // While a job takes it, the record still stands where it stood.
        done = doneText(row, action, job_id ? (to ?? '') : data.state)
        if (job_id) setJob({ id: job_id, done })
      } catch (error) {
        if (!(error instanceof ApiError && elsewhere?.(error))) throw error
        shown = true
      }
    }
    const yes = reason
      ? (await askReason({ ...question, text: consequenceOf(action, [row]), optional: reason === 'optional', go })) !==
        null
      : await confirm({ ...question, consequence: consequenceOf(action, [row]), go: () => go() })
    if (!yes || shown) return false
    // Told when the job has done it.
    if (later) return true
    await refresh(client, ...refreshes)
    notify.done(done)
    return true
  }

  /** Deleting, going back and refusing are three things: each has its sign. */
  const iconOf = (action: A): ReactNode => {
    if (/delete|remove/.test(action)) return <IconTrash size={15} aria-hidden />
    const { tone } = actionOf(action)
    if (tone === 'refused' && /reject|refuse|deny|decline/.test(action)) return <IconX size={15} aria-hidden />
    return tone === 'refused' ? (
      <IconArrowBackUp size={15} className="pointing" aria-hidden />
    ) : (
      <IconCheck size={15} aria-hidden />
    )
  }
  const actionsOf = (row: R): RowAction[] =>
    actionsFrom(flow, stateOf(row)).flatMap((action): RowAction[] => {
      const problem = row.refused?.[action]
      if (!problem && !row.abilities.includes(action)) return []
      return [
        {
          key: action,
          label: wordOf(row, action),
          icon: iconOf(action),
          ...(problem ? { disabled: problemText(problem) } : { onSelect: () => void take(row, action) }),
        },
      ]
    })

  const bulk = useBulkSteps(flow, calls, texts, consequenceOf)

  return {
    label: wordOf,
    take,
    actions: actionsOf,
    // A mark alone would not say what it does.
    next: (row) => {
      const next = actionsOf(row).find(({ key, disabled }) => !disabled && !actionOf(key as A).tone)
      return next ? { ...next, icon: undefined, short: next.label } : null
    },
    bulk,
    underway: job && (
      <ProgressJob
        id={job.id}
        onDone={() => {
          notify.done(job.done)
          setJob(null)
          void refresh(client, ...refreshes)
        }}
      />
    ),
  }
}
