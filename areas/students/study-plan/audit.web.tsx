import { useState } from 'react'
import { SegmentedControl } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { courseColumns } from '../columns.web.tsx'
import css from '../students.module.css'
import { Amount, Line, Lines, usePhone } from '../words.web.tsx'
import { studyPlanCalls } from './study-plan.contract.ts'
import type { AuditedCourse, AuditedGroup, StudyPlanAudit } from './study-plan.contract.ts'

type Show = 'all' | 'missing' | 'in_progress' | 'met'

/** The degree audit; without `id` the reader's own. Staff may ask what would count in another program. */
export function Audit({ id }: { id?: number }) {
  const t = useT('students')
  const [program, setProgram] = useState<number | null>(null)
  const [show, setShow] = useState<Show>('all')
  const query = program ? { program_id: program } : {}
  const own = useCall(studyPlanCalls.studyPlan, { query }, { enabled: id === undefined })
  const other = useCall(
    studyPlanCalls.studyPlanOf,
    { params: { id: id ?? 0 }, query },
    {
      enabled: id !== undefined,
    },
  )
  const { data, error, refetch } = id === undefined ? own : other
  const audit = data?.data
  return (
    <Stack>
      <div className={css.toolbar}>
        <SegmentedControl
          size="xs"
          value={show}
          onChange={(value) => setShow(value)}
          data={(['all', 'missing', 'in_progress', 'met'] as const).map((value) => ({
            value,
            label: t(`show_${value}`),
          }))}
        />
        {may('access_program') && (
          <div className={css.lookup}>
            <LookupInput
              resource="program"
              label={t('what_if')}
              defaultValue={null}
              onChange={(value) => setProgram(value)}
            />
          </div>
        )}
      </div>
      {error && !audit ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : audit ? (
        <AuditOf audit={audit} show={show} />
      ) : (
        <Bone height={260} />
      )}
    </Stack>
  )
}

function AuditOf({ audit, show }: { audit: StudyPlanAudit; show: Show }) {
  const t = useT('students')
  const lang = useLanguage()
  // A program without a plan asks for hours alone.
  const bare = audit.groups.every((group) => group.courses.length === 0)
  const groups = (bare ? [] : audit.groups)
    .map((group) => ({ group, courses: group.courses.filter((one) => show === 'all' || one.state === show) }))
    .filter(({ courses }) => show === 'all' || courses.length > 0)
  const { hours } = audit
  // Why the figure is another than that of the record, where it is.
  const outside = bare
    ? 0
    : audit.other.reduce((sum, one) => sum + (one.state === 'passed' ? one.course.credit_hours : 0), 0)
  const notes = [
    hours.since > 0 && t('hours_since', { finished: hours.earned - hours.since, since: hours.since }),
    outside > 0 && t('hours_outside', { count: outside }),
  ].filter(Boolean)
  return (
    <>
      <Card
        title={<bdi>{nameOf(audit.program, lang)}</bdi>}
        aside={
          audit.what_if ? (
            <Status is="supposed" label={t('what_if_shown')} />
          ) : audit.complete ? (
            <Status is="met" label={t('plan_complete')} />
          ) : (
            <Status is="in_progress" label={t('plan_open')} />
          )
        }
      >
        <div className={css.amounts}>
          <Amount
            label={t('hours')}
            earned={hours.earned}
            since={hours.since}
            running={hours.in_progress}
            required={hours.required}
            note={notes.length > 0 && notes.join(' ')}
          />
          <div className={css.amount}>
            <div className={css.amountHead}>
              <span>{t('cumulative_gpa')}</span>
              <Status
                is={audit.gpa.state === 'met' ? 'met' : 'unmet'}
                label={t(audit.gpa.state === 'met' ? 'state_met' : 'state_missing')}
              />
            </div>
            <span>
              <Code>{formatNumber(audit.gpa.actual, 2) || '–'}</Code>{' '}
              <span className={css.dim}>{t('gpa_required', { gpa: formatNumber(audit.gpa.required, 2) })}</span>
            </span>
          </div>
          {audit.training.required > 0 && (
            <Amount label={t('training_weeks')} earned={audit.training.earned} required={audit.training.required} />
          )}
        </div>
      </Card>
      {groups.map(({ group, courses }) => (
        <Group key={group.id} group={group} courses={courses} />
      ))}
      {groups.length === 0 && !(bare && audit.other.length > 0 && show === 'all') && (
        <Empty title={t(`none_${show}`)} />
      )}
      {audit.other.length > 0 && show === 'all' && (
        <Card
          plain
          title={t(bare ? 'courses_without_plan' : 'other_courses')}
          aside={<span className={css.dim}>{t(bare ? 'courses_without_plan_text' : 'other_courses_text')}</span>}
        >
          <DataTable
            caption={t(bare ? 'courses_without_plan' : 'other_courses')}
            rows={audit.other.map((one) => ({ ...one, id: one.course.id }))}
            columns={[
              ...courseColumns(),
              { key: 'term', label: ['Term', 'الفصل'], width: 160, cell: (row) => <bdi>{nameOf(row.term, lang)}</bdi> },
              {
                key: 'letter',
                label: ['Grade', 'التقدير'],
                width: 90,
                align: 'center',
                cell: (row) => <Code>{row.letter ?? '–'}</Code>,
                value: (row) => row.letter,
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

function Group({ group, courses }: { group: AuditedGroup; courses: readonly AuditedCourse[] }) {
  const t = useT('students')
  const lang = useLanguage()
  const phone = usePhone()
  const title = group.name ? nameOf(group, lang) : t(`list_${group.kind}`)
  return (
    <Stack gap={8}>
      <Card>
        <Amount
          label={title}
          earned={group.earned}
          running={group.in_progress}
          required={group.required}
          note={t(group.whole ? 'list_whole' : 'list_hours', { hours: group.required })}
        />
      </Card>
      {phone ? (
        <Lines label={title}>
          {courses.map((row) => (
            <Line
              key={row.course.id}
              code={row.course.code}
              name={<bdi>{nameOf(row.course, lang)}</bdi>}
              facts={
                <>
                  <span>{t('credit_hours', { count: row.course.credit_hours })}</span>
                  <How row={row} />
                </>
              }
              end={<Status is={row.state} label={t(`state_${row.state}`)} />}
            />
          ))}
        </Lines>
      ) : (
        <DataTable
          caption={title}
          rows={courses.map((one) => ({ ...one, id: one.course.id }))}
          columns={[
            ...courseColumns(),
            {
              key: 'level',
              label: ['Place in the plan', 'موضعه في الخطة'],
              width: 150,
              cell: (row) => t('level_semester', { level: row.level, semester: row.semester }),
              value: (row) => row.level * 100 + row.semester,
            },
            {
              key: 'state',
              label: ['State', 'الحالة'],
              width: 140,
              cell: (row) => <Status is={row.state} label={t(`state_${row.state}`)} />,
              value: (row) => row.state,
            },
            { key: 'how', label: ['How', 'كيف'], width: 280, cell: (row) => <How row={row} /> },
          ]}
        />
      )}
    </Stack>
  )
}

/** What satisfied a course of the plan, or what stands against taking it. */
function How({ row }: { row: AuditedCourse }) {
  const t = useT('students')
  const lang = useLanguage()
  if (row.satisfied_by) {
    const { course, term, letter } = row.satisfied_by
    return (
      <span>
        {course.id !== row.course.id && (
          <>
            <Code>{course.code}</Code>{' '}
          </>
        )}
        <bdi>{nameOf(term, lang)}</bdi>
        {letter && (
          <>
            {' · '}
            <Code className={css.grade}>{letter}</Code>
          </>
        )}
      </span>
    )
  }
  return (
    <span className={css.dim}>
      {row.failed_attempts > 0 && <>{t('failed_attempts', { count: row.failed_attempts })} · </>}
      {row.open ? (
        t('can_take')
      ) : (
        <>
          {t('needs')} <Code>{row.lacks.join(', ')}</Code>
        </>
      )}
    </span>
  )
}
