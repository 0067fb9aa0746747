import { Skeleton } from '@mantine/core'
import { studyPlanCalls } from '#areas/records/students/study-plan/study-plan.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import css from './desk.module.css'

/** Where the student stands in the study plan, beside the decision about a request. */
export default function Audit({ studentId }: { studentId: number }) {
  const t = useT('registration')
  const { data, error, refetch } = useCall(
    studyPlanCalls.studyPlanOf,
    { params: { id: studentId } },
    { staleTime: 60_000 },
  )
  if (error)
    return error.status === 403 || error.status === 404 ? null : <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  const { hours, gpa, groups } = data.data
  return (
    <section className={css.panel} aria-labelledby="registration-audit">
      <header className={css.panelHead}>
        <h2 id="registration-audit">{t('study_plan')}</h2>
        <Code className={css.dim}>
          {formatNumber(hours.earned)}
          {hours.in_progress > 0 && ` + ${formatNumber(hours.in_progress)}`} / {formatNumber(hours.required)}
        </Code>
      </header>
      <dl className={css.audit}>
        <div>
          <dt>{t('gpa')}</dt>
          <dd>
            <Code>
              {formatNumber(gpa.actual, 2) || '–'} / {formatNumber(gpa.required, 2)}
            </Code>{' '}
            <Status is={gpa.state} label={t(gpa.state)} />
          </dd>
        </div>
        {groups.map((group) => {
          const missing = group.courses.filter((one) => one.state === 'missing')
          return (
            <div key={`${group.kind}/${group.id}`}>
              <dt>
                {group.name ? (
                  <Name row={{ name: group.name, name_local: group.name_local }} />
                ) : (
                  t(`kind_${group.kind}`)
                )}
              </dt>
              <dd>
                <Code>
                  {formatNumber(group.earned)}
                  {group.in_progress > 0 && ` + ${formatNumber(group.in_progress)}`} / {formatNumber(group.required)}
                </Code>{' '}
                <Status is={group.state} label={t(group.state)} />
                {missing.length > 0 && group.state !== 'met' && (
                  <small className={css.missing}>
                    {missing.slice(0, 12).map((one) => (
                      <Code key={one.course.id} className={one.open ? css.openCourse : css.dim}>
                        {one.course.code}
                      </Code>
                    ))}
                    {missing.length > 12 && (
                      <span className={css.dim}>{t('more_courses', { count: missing.length - 12 })}</span>
                    )}
                  </small>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
