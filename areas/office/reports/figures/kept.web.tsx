import { Button, Loader } from '@mantine/core'
import { useState } from 'react'
import { ApiError, useChange } from '#kit/web/api/index.ts'
import { Empty, Problems } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import css from './figures.module.css'

/** How often a screen asks for figures that are being worked out. */
const AGAIN = 4_000
/** Whether a job works them out. */
export const isWorkedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'report_worked_out'

/**
 * Figures that take long: how often they are asked for while a job works them out, and what works them out again.
 *
 * @param path of the call, which is asked again afterwards
 */
export function useKeptFigures(path: string) {
  const { busy, problem, go, send } = useChange(path)
  // When those were read instead of which younger ones are waited for.
  const [before, setBefore] = useState<string>()
  return {
    busy,
    /** Why those read at that time are not worked out again; once younger ones are there, it is over. */
    problemWith: (at: string): unknown => (isWorkedOut(problem) && at !== before ? null : problem),
    /** For the call of the figures. */
    refetchInterval: ({ state }: { state: { error: unknown; data?: { data: { at: string } } | undefined } }) =>
      isWorkedOut(state.error) || (isWorkedOut(problem) && state.data?.data.at === before) ? AGAIN : false,
    again(at: string, work: (read: typeof send) => Promise<unknown>) {
      setBefore(at)
      void go(() => work(send))
    },
  }
}

/** Where figures are not there yet. */
export function WorkedOut() {
  const t = useT('reports')
  return <Empty icon={<Loader size={22} />} title={t('worked_out')} text={t('worked_out_text')} />
}

/** Under figures that were kept: has them worked out again. */
export function WorkOutAgain({ busy, problem, act }: { busy: boolean; problem: unknown; act: () => void }) {
  const t = useT('reports')
  return (
    <>
      {problem !== null && <Problems error={problem} />}
      <Button variant="default" size="xs" className={css.again} loading={busy} onClick={act}>
        {t('work_out_again')}
      </Button>
    </>
  )
}
