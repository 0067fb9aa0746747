import { Fragment } from 'react'
import { RULE_LABELS, STEP_LABELS, stateLabel } from '#areas/common/academics/registration-words.contract.ts'
import type { Step } from '#areas/common/academics/registration-words.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../students.module.css'
import { GradeBadge, RegistrationState } from '../words.web.tsx'
import { academicRecordCalls } from './record.contract.ts'
import type { CourseHistoryRow } from './record.contract.ts'

/** Every registration and what became of it, newest term first; without `id` the reader's own. */
export function History({ id }: { id?: number }) {
  const t = useT('students')
  const lang = useLanguage()
  const own = useCall(academicRecordCalls.coursesHistory, undefined, { enabled: id === undefined })
  const other = useCall(
    academicRecordCalls.coursesHistoryOf,
    { params: { id: id ?? 0 } },
    { enabled: id !== undefined },
  )
  const { data, error, refetch } = id === undefined ? own : other
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={220} />
  if (!data.data.length) return <Empty title={t('no_history')} text={t('no_history_text')} />
  const terms = [...Map.groupBy(data.data, (row) => row.term.id).values()]
  return (
    <Stack>
      {terms.map((rows) => (
        <Card key={rows[0]!.term.id} plain title={<bdi>{nameOf(rows[0]!.term, lang)}</bdi>}>
          <div style={{ display: 'grid', gap: 6 }}>
            {rows.map((row) => (
              <Course key={row.offering_id} row={row} />
            ))}
          </div>
        </Card>
      ))}
    </Stack>
  )
}

function Course({ row }: { row: CourseHistoryRow }) {
  const t = useT('students')
  const say = useLabel()
  const lang = useLanguage()
  const last = row.events.at(-1)
  return (
    <details className={css.course}>
      <summary>
        <Code>{row.course.code}</Code>
        <span>
          <bdi>{nameOf(row.course, lang)}</bdi>
        </span>
        {row.main ? <RegistrationState value={row.main} /> : <Status is="removed" label={t('registration_removed')} />}
        <GradeBadge row={row} />
        {last && <span className={css.dim}>{t('steps', { count: row.events.length })}</span>}
      </summary>
      {row.events.length ? (
        <ol className={css.events}>
          {row.events.map((event, i) => {
            const step = STEP_LABELS[event.action as Step]
            return (
              <li key={i}>
                <b>{step ? say(step) : t('recorded')}</b>
                {event.from && event.to && event.from !== event.to && (
                  <span className={css.dim}>
                    {say(stateLabel(event.from))} <span className="pointing">→</span> {say(stateLabel(event.to))}
                  </span>
                )}
                {event.by && <bdi>{event.by}</bdi>}
                <time dateTime={event.at}>{formatInstant(event.at)}</time>
                {event.reason && (
                  <p>
                    <bdi>{event.reason}</bdi>
                  </p>
                )}
                {event.overrides.length > 0 && (
                  <p>
                    {t('rules_set_aside')}{' '}
                    {event.overrides.map((override, n) => (
                      <Fragment key={override.code}>
                        {n > 0 && ', '}
                        {say(RULE_LABELS[override.code as keyof typeof RULE_LABELS] ?? [override.code, override.code])}
                        {override.reason && (
                          <>
                            {' '}
                            (<bdi>{override.reason}</bdi>)
                          </>
                        )}
                      </Fragment>
                    ))}
                  </p>
                )}
              </li>
            )
          })}
        </ol>
      ) : (
        <p className={css.events}>{t('no_steps')}</p>
      )}
    </details>
  )
}
