import { Checkbox, NumberInput } from '@mantine/core'
import type { ResponseOf } from '#kit/contract/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import type { offeringCalls } from './offering.contract.ts'
import css from './offerings.module.css'

type PlanCourse = ResponseOf<typeof offeringCalls.programCourses>['data'][number]

/** Courses of one semester of a study plan: chosen, how many are expected, how many groups that makes. */
export function PlanTable({
  label,
  rows,
  chosen,
  onChosen,
  expected,
  onExpected,
  groups,
}: {
  label: string
  rows: readonly PlanCourse[]
  chosen: ReadonlySet<number>
  onChosen: (chosen: ReadonlySet<number>) => void
  expected: Readonly<Record<number, number | string>>
  onExpected: (id: number, value: number | string) => void
  groups: (course: PlanCourse) => number
}) {
  const t = useT('offerings')
  const choose = (courses: readonly PlanCourse[], on: boolean) => {
    const next = new Set(chosen)
    for (const { id } of courses)
      if (on) next.add(id)
      else next.delete(id)
    onChosen(next)
  }
  const all = rows.every((r) => chosen.has(r.id))
  return (
    <Table
      label={label}
      className={css.plan}
      rows={rows}
      rowKey={(r) => r.id}
      columns={[
        {
          key: 'chosen',
          style: { inlineSize: 36 },
          label: (
            <Checkbox
              size="xs"
              aria-label={t('choose_all')}
              checked={all}
              indeterminate={!all && rows.some((r) => chosen.has(r.id))}
              onChange={(event) => choose(rows, event.currentTarget.checked)}
            />
          ),
          cell: (r) => (
            <Checkbox
              size="xs"
              aria-label={t('choose', { name: r.code ?? '' })}
              checked={chosen.has(r.id)}
              onChange={(event) => choose([r], event.currentTarget.checked)}
            />
          ),
        },
        {
          key: 'course',
          label: t('course'),
          cell: (r) => (
            <span className={css.course}>
              <Name row={r} />
              <small>
                <Code>{r.code}</Code>
              </small>
            </span>
          ),
        },
        { key: 'hours', label: t('credit_hours'), end: true, cell: (r) => formatNumber(r.credit_hours) },
        { key: 'need', label: t('need'), end: true, cell: (r) => formatNumber(r.need) },
        { key: 'offered', label: t('offered_already'), cell: (r) => <Offered course={r} /> },
        {
          key: 'expected',
          label: t('expected'),
          cell: (r) => (
            <NumberInput
              size="xs"
              w={90}
              aria-label={t('expected')}
              min={0}
              max={100_000}
              allowDecimal={false}
              value={expected[r.id] ?? r.need}
              onChange={(value) => onExpected(r.id, value)}
            />
          ),
        },
        { key: 'groups', label: t('groups_number'), end: true, cell: (r) => formatNumber(groups(r)) },
      ]}
    />
  )
}

/** Offerings of the course that are there already, with their free seats. */
function Offered({ course }: { course: PlanCourse }) {
  const t = useT('offerings')
  if (!course.offering_courses.length) return <span className={css.dim}>{t('not_offered')}</span>
  return course.offering_courses.map((o) => (
    <div key={o.id}>
      <Link className={css.link} to={to('/offering/:id', { id: o.id })}>
        <Code>
          {course.code} ({o.code})
        </Code>
      </Link>{' '}
      <span className={css.dim}>{t('seats_free_of', { free: o.free_seats, seats: o.seats })}</span>
    </div>
  ))
}
