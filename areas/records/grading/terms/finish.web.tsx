import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { refresh, useCall } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { TypedToConfirm, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { ControlBadge } from '../parts.web.tsx'
import { termCalls } from './terms.contract.ts'
import type { FinishReport } from './terms.contract.ts'
import css from '../grading.module.css'

interface Answer {
  readonly job_id: string | null
  readonly data: FinishReport | null
}

interface Whom {
  readonly term_id: number | null
  readonly ids?: number[]
  readonly filters?: Record<string, unknown>
  readonly search?: string
}

/** How many are ready and how many wait, before anything is done. */
function Foreseen({
  foreseen: { data, error },
  href,
}: {
  foreseen: Pick<ReturnType<typeof useForeseen>, 'data' | 'error'>
  href: string | undefined
}) {
  const t = useT('grading')
  if (error) return <Problems error={error} />
  if (!data) return <p className={css.foreseen} aria-busy="true" />
  const { ready, waiting, again } = data.data
  const waits = <Status is="waits" label={t('finish_waiting', { count: waiting })} />
  return (
    <p className={css.foreseen}>
      <Status is={ready ? 'ready' : 'nobody_ready'} label={t('finish_ready', { count: ready })} />
      {waiting > 0 && (href ? <Link to={href}>{waits}</Link> : waits)}
      {again > 0 && <span className={css.dim}>{t('finish_again', { count: again })}</span>}
    </p>
  )
}

const useForeseen = (whom: Whom | undefined) =>
  useCall(termCalls.foreseen, { body: whom ?? { term_id: null } }, { staleTime: 0, enabled: whom !== undefined })

/** Finishing a term: says what it does, does it (a job where there are many), and lists who could not be finished and why. */
export function FinishDialog({
  title,
  text,
  whom,
  waiting,
  go,
  onClose,
}: {
  title: string
  text?: ReactNode
  /** Told before: how many are ready, how many wait. */
  whom?: Whom
  /** The list of those who wait. */
  waiting?: string
  go: () => Promise<Answer>
  onClose: () => void
}) {
  const t = useT('grading')
  const tk = useT('kit')
  const k = useT('kit-screens')
  const lang = useLanguage()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [job, setJob] = useState<string | null>(null)
  const [report, setReport] = useState<FinishReport | null>(null)
  const foreseen = useForeseen(whom)
  const [typed, setTyped] = useState('')
  const { ready = 0, again = 0 } = foreseen.data?.data ?? {}
  const weight = { heavy: true, whom: { count: ready + again, names: [] } }
  const finished = (result: FinishReport) => {
    setReport(result)
    setJob(null)
    void refresh(client, '/control', '/students')
  }
  const start = async () => {
    setBusy(true)
    setError(null)
    try {
      const answer = await go()
      if (answer.data) finished(answer.data)
      else setJob(answer.job_id)
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title={title}
      size={report?.students.length ? 'xl' : 520}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {report ? (
        <Stack>
          <p style={{ margin: 0 }}>
            <Status is="finished" label={t('finished_count', { count: report.finished })} />{' '}
            <span className={css.dim}>{t('rows_changed', { count: report.changed })}</span>
          </p>
          {report.dismissed > 0 && (
            <p style={{ margin: 0 }}>
              <Status is="dismissed" label={t('dismissed_count', { count: report.dismissed })} />
            </p>
          )}
          {report.not_finished > 0 && (
            <>
              <p style={{ margin: 0 }}>
                <Status is="waits" label={t('not_finished_count', { count: report.not_finished })} />
              </p>
              <p style={{ margin: 0 }}>{t('not_finished_why')}</p>
              <Table
                label={t('not_finished')}
                className={css.table}
                height={380}
                rows={report.students}
                rowKey={(one) => one.student.id}
                columns={[
                  { key: 'code', label: t('code'), cell: (one) => <Code>{one.student.code}</Code> },
                  { key: 'student', label: t('student'), cell: (one) => <bdi>{nameOf(one.student, lang)}</bdi> },
                  {
                    key: 'waits_for',
                    label: t('waits_for'),
                    cell: (one) => (
                      <>
                        {one.untyped && <div>{t('bylaw_untyped')}</div>}
                        {one.below.map((offering) => (
                          <div key={offering.id}>
                            <bdi>{nameOf(offering, lang)}</bdi> <ControlBadge status={offering.control_status} />
                          </div>
                        ))}
                        {one.without_result > 0 && (
                          <div>{t('without_result_count', { count: one.without_result })}</div>
                        )}
                      </>
                    ),
                  },
                ]}
              />
              {report.not_finished > report.students.length && (
                <p className={css.text}>
                  {t('first_of', { shown: report.students.length, count: report.not_finished })}
                </p>
              )}
            </>
          )}
          <div className={css.buttons}>
            <Button onClick={onClose}>{t('close')}</Button>
          </div>
        </Stack>
      ) : job ? (
        <Stack>
          <ProgressJob id={job} label={t('finishing')} onDone={(result) => finished(result as FinishReport)} />
          <p className={css.text}>{t('job_text')}</p>
        </Stack>
      ) : (
        <>
          {whom && <Foreseen foreseen={foreseen} href={waiting} />}
          <p className={css.text}>{text ?? t('finish_text')}</p>
          {whom && <TypedToConfirm of={weight} value={typed} onChange={setTyped} />}
          {error !== null && <Problems error={error} />}
          <div className={css.buttons}>
            <Button variant="default" disabled={busy} onClick={onClose}>
              {t('cancel')}
            </Button>
            <Submit
              data-autofocus
              loading={busy}
              missing={[
                whom && foreseen.data === undefined && k('being_computed'),
                whom && !isTyped(wantedFor(weight), typed) && labelToConfirm(tk, weight),
              ]}
              onClick={() => void start()}
            >
              {t('finish')}
            </Submit>
          </div>
        </>
      )}
    </Modal>
  )
}

/** A figure of a student, or a dash. */
export const Figure = ({ value, places }: { value: string | number | null | undefined; places?: number }) => (
  <Code>{value === null || value === undefined ? '–' : formatNumber(Number(value), places)}</Code>
)
