import { Anchor } from '@mantine/core'
import { IconCornerDownRight } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import type { FieldInputProps } from '#kit/web/fields/inputs.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, paperLanguageOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Link, addressOfRecord } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { ResponseOf, Row } from '#kit/contract/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import css from '../catalogue.module.css'
import { specificationOfCourse } from '../outlets.contract.ts'
import { printRequisite, type Requisite } from '../requisites.rules.ts'
import { PLAN_KINDS } from '../words.contract.ts'
import { LATEST_OFFERINGS, course, courseCalls } from './course.contract.ts'

type Connections = ResponseOf<(typeof courseCalls)['connections']>['data']
type CourseRef = Connections['courses'][number]
const useConnections = (id: number) => useCall(courseCalls.connections, { params: { id } })

/** A course as a link: code and name. */
export function CourseLink({ course: c, note }: { course: CourseRef; note?: ReactNode }) {
  const address = addressOfRecord('course', 'show', c.id)
  const content = (
    <>
      <Code>{c.code}</Code> <Name row={c} />
    </>
  )
  return (
    <>
      {address ? (
        <Anchor component={Link} to={address}>
          {content}
        </Anchor>
      ) : (
        content
      )}
      {note}
    </>
  )
}

interface Branch {
  readonly course: CourseRef
  /** Unfolded further up already. */
  readonly again: boolean
  readonly branches: readonly Branch[]
}
/** What a course leads to along `next`, to the end; what was unfolded once is not unfolded again. */
function branchesOf(
  id: number,
  courses: ReadonlyMap<number, CourseRef>,
  next: ReadonlyMap<number, readonly number[]>,
  unfolded: Set<number>,
): Branch[] {
  return (next.get(id) ?? []).flatMap((child) => {
    const c = courses.get(child)
    if (!c) return []
    const again = unfolded.has(child)
    if (next.has(child)) unfolded.add(child)
    return [{ course: c, again, branches: again ? [] : branchesOf(child, courses, next, unfolded) }]
  })
}
function Tree({ branches }: { branches: readonly Branch[] }) {
  const t = useT('catalogue')
  return (
    <ul className={css.tree}>
      {branches.map(({ course: c, again, branches: below }) => (
        <li key={c.id}>
          <IconCornerDownRight size={13} className={`pointing ${css.faint}`} aria-hidden />{' '}
          <CourseLink course={c} note={again && <span className={css.faint}> · {t('shown_above')}</span>} />
          {below.length > 0 && <Tree branches={below} />}
        </li>
      ))}
    </ul>
  )
}

const index = (edges: readonly (readonly [number, number])[]): Map<number, number[]> => {
  const out = new Map<number, number[]>()
  for (const [from, to] of edges) out.set(from, [...(out.get(from) ?? []), to])
  return out
}

function Requisites({ row }: { row: Row<typeof course> }) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const { data, error, refetch } = useConnections(row.id)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  const { courses: list, edges, prerequisites, corequisites, corequisite_of } = data.data
  const courses = new Map(list.map((c) => [c.id, c]))
  const down = branchesOf(row.id, courses, index(edges.map((e) => [e.course_id, e.required_course_id])), new Set())
  const up = branchesOf(row.id, courses, index(edges.map((e) => [e.required_course_id, e.course_id])), new Set())
  // One course without a minimum grade is said by the tree itself.
  const plain =
    prerequisites !== null && 'course' in prerequisites && !prerequisites.min_grade && !prerequisites.min_points
  const conditions = [
    ...(row.min_passed_hours ? [t('needs_hours', { count: row.min_passed_hours })] : []),
    ...(row.min_level ? [t('needs_level', { level: row.min_level })] : []),
  ]
  const links = (refs: readonly CourseRef[]) =>
    refs.length ? (
      <ul className={css.tree}>
        {refs.map((c) => (
          <li key={c.id}>
            <CourseLink course={c} />
          </li>
        ))}
      </ul>
    ) : (
      <span className={css.faint}>{t('none')}</span>
    )
  return (
    <Cards even>
      <Card title={t('requires')} text={t('requires_text')}>
        {prerequisites && !plain && (
          <p className={css.expression}>
            {printRequisite(prerequisites, lang, (id) => courses.get(id)?.code ?? `${id}`)}
          </p>
        )}
        {down.length ? <Tree branches={down} /> : <span className={css.faint}>{t('no_prerequisites')}</span>}
        {conditions.length > 0 && <p className={css.text}>{conditions.join(' · ')}</p>}
        <h3 className={css.subheading}>{t('corequisites')}</h3>
        {links(corequisites)}
      </Card>
      <Card title={t('required_by')} text={t('required_by_text')}>
        {up.length ? <Tree branches={up} /> : <span className={css.faint}>{t('required_by_none')}</span>}
        {corequisite_of.length > 0 && (
          <>
            <h3 className={css.subheading}>{t('corequisite_of')}</h3>
            {links(corequisite_of)}
          </>
        )}
      </Card>
    </Cards>
  )
}

function Taught({ row }: { row: Row<typeof course> }) {
  const t = useT('catalogue')
  const say = useLabel()
  const { data, error, refetch } = useConnections(row.id)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={160} />
  const { programs, offerings } = data.data
  const link = (resource: string, id: number, content: ReactNode) => {
    const address = addressOfRecord(resource, 'show', id)
    return address ? (
      <Anchor component={Link} to={address}>
        {content}
      </Anchor>
    ) : (
      content
    )
  }
  return (
    <Stack>
      <Card title={t('in_plans')}>
        {programs.length ? (
          <Table
            label={t('in_plans')}
            className={css.set}
            rows={programs}
            rowKey={(p) => p.id}
            columns={[
              { key: 'program', label: t('program'), cell: (p) => link('program', p.id, <Name row={p} />) },
              { key: 'level', label: t('level'), cell: (p) => formatNumber(p.level) },
              { key: 'semester', label: t('semester'), cell: (p) => formatNumber(p.semester) },
              {
                key: 'kind',
                label: t('kind'),
                cell: (p) => say(PLAN_KINDS.find((k) => k.value === p.kind)!.label),
              },
            ]}
          />
        ) : (
          <Empty title={t('in_no_plan')} />
        )}
      </Card>
      <Card title={t('offerings')}>
        {offerings.length ? (
          <Table
            label={t('offerings')}
            className={css.set}
            rows={offerings}
            rowKey={(o) => o.id}
            columns={[
              { key: 'term', label: t('term'), cell: (o) => <Name row={o.term} /> },
              { key: 'offering', label: t('offering'), cell: (o) => link('offering', o.id, <Code>{o.code}</Code>) },
              {
                key: 'instructors',
                label: t('instructors'),
                cell: (o) =>
                  o.instructors.map((i, n) => (
                    <span key={i.id}>
                      {n > 0 && ' · '}
                      <Name row={i} />
                    </span>
                  )),
              },
              { key: 'registered', label: t('registered'), cell: (o) => formatNumber(o.registered) },
              {
                key: 'grades',
                label: t('grades'),
                cell: (o) => {
                  const status = CONTROL_STATUSES.find((controlStatus) => controlStatus.value === o.control_status)!
                  return <Status tone={status.tone} label={say(status.label)} />
                },
              },
            ]}
          />
        ) : (
          <Empty title={t('not_taught_yet')} />
        )}
        <OnlyFirst rows={offerings.length} most={LATEST_OFFERINGS} />
      </Card>
    </Stack>
  )
}

/** A prerequisite expression among facts, with the codes of its courses. */
function RequisiteCell({ requisite, id }: { requisite: Requisite | null; id: number }) {
  const lang = useLanguage()
  const { data } = useConnections(id)
  if (!requisite) return <>–</>
  const courses = new Map(data?.data.courses.map((c) => [c.id, c.code]))
  return <>{printRequisite(requisite, lang, (course_id) => courses.get(course_id) ?? '…')}</>
}

const RequisiteInput = part(async () => (await import('./requisite-input.web.tsx')).RequisiteInput)
/** The room of a course without prerequisites is kept while the input is fetched. */
const Prerequisites = (props: FieldInputProps) => (
  <Suspense fallback={<div style={{ minBlockSize: 135 }} />}>
    <RequisiteInput {...props} />
  </Suspense>
)

/** The requirement lists as a sheet, in the language of papers. */
const exportList = (
  call: typeof courseCalls.exportUniversityRequirements | typeof courseCalls.exportFacultyRequirements,
) => void download(call, { body: { lang: paperLanguageOf() } }).catch((problem: unknown) => notify.error(problem))

export default resourceWeb(course, {
  cells: {
    prerequisites: ({ value, row }) => (
      <RequisiteCell requisite={(value ?? null) as Requisite | null} id={row.id as number} />
    ),
  },
  inputs: { prerequisites: Prerequisites },
  list: {
    useParts: () => {
      const say = useLabel()
      return {
        menu: [
          {
            key: 'university',
            label: say(['Export university requirements', 'تصدير متطلبات الجامعة']),
            onSelect: () => exportList(courseCalls.exportUniversityRequirements),
          },
          {
            key: 'faculty',
            label: say(['Export faculty requirements', 'تصدير متطلبات الكلية']),
            onSelect: () => exportList(courseCalls.exportFacultyRequirements),
          },
        ],
      }
    },
  },
  form: {
    initial: () => ({
      lecture_hours: 2,
      tutorial_hours: 0,
      laboratory_hours: 0,
      clinical_hours: 0,
      grade_kind: 'letter',
      counts_in_gpa: true,
      requirement: 'none',
      min_passed_hours: 0,
      min_level: 0,
      max_mark: 100,
    }),
  },
  detail: {
    figures: (row) => [
      { label: ['Credit hours', 'الساعات المعتمدة'], value: formatNumber(row.credit_hours) },
      {
        label: ['Lecture · tutorial · laboratory · clinical', 'محاضرة · تمارين · معمل · عيادة'],
        value: (
          <Code>
            {[row.lecture_hours, row.tutorial_hours, row.laboratory_hours, row.clinical_hours]
              .map((n) => n ?? 0)
              .join(' · ')}
          </Code>
        ),
      },
    ],
    panels: [
      { key: 'requisites', title: ['Requisites', 'المتطلبات'], Content: Requisites },
      { key: 'taught', title: ['Where it is taught', 'أين يُدرَّس'], Content: Taught },
      {
        key: 'specification',
        title: ['Specification', 'التوصيف'],
        permission: 'show_specification',
        Content: filled(specificationOfCourse),
      },
    ],
  },
})
