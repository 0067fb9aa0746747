import { Button, Menu } from '@mantine/core'
import { IconArrowBackUp, IconCalculator, IconFileSpreadsheet, IconPrinter } from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Cards, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { levelCalls, type ResultCourse, type ResultHead, type StudentLevelResult } from './levels.contract.ts'
import { LevelState, OutcomeBadge } from './parts.web.tsx'
import { useResultActions, type ResultActions } from './use-result.web.tsx'
import { OUTCOMES, RESULT_STATUSES } from './words.contract.ts'
import css from './level-results.module.css'

type Row = StudentLevelResult & AnyRow

const filters = {
  outcome: f.choice(['Result', 'النتيجة'], OUTCOMES),
  outcome_before: f.choice(['Before grace marks', 'قبل درجات الرأفة'], OUTCOMES),
  turned: f.flag(['With grace marks', 'بدرجات رأفة']),
}
const view = (key: string, en: string, ar: string, value: Record<string, unknown>) => ({
  key,
  label: [en, ar] as const,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
const VIEWS = [
  view('grace', 'With grace marks', 'بدرجات رأفة', { turned: true }),
  view('carries', 'With carried courses', 'منقولون بمواد', { outcome: ['carries'] }),
  view('stay', 'Staying', 'باقون', { outcome: ['repeats', 'external', 'leaves'] }),
  view('waiting', 'Not complete', 'غير مكتملة', { outcome: ['waiting', 'second_session'] }),
]
const number = (text: string) => <Code>{formatNumber(Number(text))}</Code>

/** What something was without grace marks and is with them; once, where nothing turned. */
const Turned = ({ before, after }: { before: React.ReactNode; after: React.ReactNode }) =>
  before === null ? (
    after
  ) : (
    <span className={css.turned}>
      {before}
      <span aria-hidden className={css.arrow} />
      {after}
    </span>
  )

/** The courses that decide: not passed, or passed by grace marks, which stand beside the marks earned. */
function Courses({ courses }: { courses: readonly ResultCourse[] }) {
  const t = useT('level-results')
  const lang = useLanguage()
  return (
    <span className={css.courses}>
      {courses
        .filter((course) => course.state !== 'passed' || course.grace)
        .map((course) => (
          <span
            key={course.course_id}
            data-state={course.state}
            title={`${nameOf(course, lang)} · ${t(`state_${course.state}`)}`}
          >
            <Code>{course.code}</Code>{' '}
            {course.mark === null ? (
              t(`state_${course.state}`)
            ) : (
              <Code>
                {formatNumber(Number(course.mark))}/{formatNumber(Number(course.maximum))}
              </Code>
            )}
            {course.grace && (
              <span className={css.grace}>
                {' '}
                <Code>+{formatNumber(Number(course.grace))}</Code>
              </span>
            )}
          </span>
        ))}
    </span>
  )
}

/** Why, in the reader's words. */
function Reasons({ row }: { row: Row }) {
  const t = useT('level-results')
  const all = [...row.reasons, ...(row.degree?.problems ?? [])]
  return (
    <span>
      {row.degree?.honours && <Status is="met" label={t('honours')} />}
      {all.map((one) => problemText(one)).join(' · ')}
    </span>
  )
}

const columnsOf = (ratings: ResultHead['ratings'], lang: ReturnType<typeof useLanguage>): readonly Column<Row>[] => {
  const ratingName = (code: string | null) => {
    const known = ratings.find((one) => one.rating.code === code)
    return known ? nameOf(known.rating, lang) : code
  }
  return [
    {
      key: 'student',
      label: ['Student', 'الطالب'],
      sort: 'code',
      width: 230,
      cell: (row) => (
        <span className={css.student}>
          <Name row={row.student} />
          <small>
            <Code>{row.student.code}</Code>
          </small>
        </span>
      ),
    },
    {
      key: 'outcome',
      label: ['Result', 'النتيجة'],
      sort: true,
      width: 260,
      least: 180,
      cell: (row) => (
        <Turned
          before={row.outcome_before === row.outcome ? null : <OutcomeBadge value={row.outcome_before} />}
          after={<OutcomeBadge value={row.outcome} />}
        />
      ),
    },
    {
      key: 'marks',
      label: ['Marks', 'المجموع'],
      sort: true,
      align: 'end',
      width: 110,
      cell: (row) => (
        <Code>
          {formatNumber(Number(row.marks))}/{formatNumber(Number(row.maximum))}
        </Code>
      ),
    },
    {
      key: 'grace',
      label: ['Grace marks', 'درجات الرأفة'],
      sort: true,
      align: 'end',
      width: 100,
      cell: (row) => (Number(row.grace) ? number(row.grace) : <span className={css.dim}>–</span>),
    },
    {
      key: 'rating',
      label: ['Rating', 'التقدير'],
      width: 170,
      cell: (row) => (
        <Turned
          before={row.rating_before === row.rating || row.rating_before === null ? null : ratingName(row.rating_before)}
          after={ratingName(row.rating) ?? <span className={css.dim}>–</span>}
        />
      ),
    },
    {
      key: 'courses',
      label: ['Courses', 'المقررات'],
      width: 420,
      least: 260,
      cell: (row) => <Courses courses={row.courses} />,
    },
    { key: 'reasons', label: ['Why', 'السبب'], width: 320, least: 180, cell: (row) => <Reasons row={row} /> },
  ]
}

/** One result of a level: what it comes to, student by student, and what can be done with it. */
export default function LevelResult() {
  const t = useT('level-results')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(levelCalls.show, { params: { id } })
  const head = data?.data
  const actions = useResultActions(id, head)
  if (error && !head) return <Failed error={error} retry={() => void refetch()} />
  const { title, may, main, undoOf } = actions
  return (
    <Page
      title={title}
      subtitle={head ? <Name row={head.bylaw} /> : '\u00A0'}
      facts={[
        { label: t('state'), value: head ? <LevelState value={head.status} /> : '–' },
        { label: t('students'), value: <Code>{head ? formatNumber(head.students) : '–'}</Code> },
        { label: t('with_grace'), value: <Code>{head ? formatNumber(head.with_grace) : '–'}</Code> },
        { label: t('grace'), value: head ? number(head.grace) : '–' },
      ]}
      action={
        main && (
          <Button leftSection={main.icon} onClick={() => void main.run()}>
            {main.label}
          </Button>
        )
      }
      menu={head && <ResultMenu head={head} actions={actions} />}
    >
      <Stack>
        <p className={css.text}>{head ? <Rule rule={head.rule} /> : '\u00A0'}</p>
        {head && head.changed > 0 && (
          <p className={css.text}>
            <Status is="revised" label={t('changed', { count: head.changed })} />{' '}
            {head.status !== 'previewed' && <Link to={to('/outdated-decisions')}>{t('changed_decide')}</Link>}
          </p>
        )}
        <Charts head={head} />
        <ListScreen<Row>
          page={false}
          name="level-result"
          call={levelCalls.students}
          params={{ id }}
          title={['Students', 'الطلاب']}
          columns={columnsOf(head?.ratings ?? [], lang)}
          filters={filters}
          views={VIEWS}
          order={['code', 'asc']}
          perPage={50}
          bulk={
            may('undo')
              ? [
                  {
                    key: 'undo',
                    label: t('undo'),
                    icon: <IconArrowBackUp size={14} aria-hidden />,
                    tone: 'refused',
                    asks: true,
                    applies: (row) => (row as Row).applied,
                    run: undoOf,
                  },
                ]
              : []
          }
          rowName={(row) => row.student.code ?? ''}
          rowHref={(row) => to('/students/:id', { id: row.id })}
          empty={{ title: t('students_empty') }}
        />
        {head && head.others.length > 0 && <Others head={head} />}
      </Stack>
    </Page>
  )
}

/** Papers of the result, and what else is done with it. */
function ResultMenu({ head, actions: { may, again, sheet, undo } }: { head: ResultHead; actions: ResultActions }) {
  const t = useT('level-results')
  return (
    <>
      {may('preview') && (
        <Menu.Item leftSection={<IconCalculator size={15} aria-hidden />} onClick={() => void again()}>
          {t('preview_again')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => sheet('approval', 'pdf')}>
        {t('sheet_approval')}
      </Menu.Item>
      <Menu.Item leftSection={<IconFileSpreadsheet size={15} aria-hidden />} onClick={() => sheet('approval', 'xlsx')}>
        {t('sheet_approval_xlsx')}
      </Menu.Item>
      {head.status === 'announced' && (
        <Menu.Item leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => sheet('announcement', 'pdf')}>
          {t('sheet_announcement')}
        </Menu.Item>
      )}
      {may('undo') && (
        <Menu.Item color="red" leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={() => void undo()}>
          {t('undo')}
        </Menu.Item>
      )}
    </>
  )
}

/** By which decision grace marks were given. */
function Rule({ rule }: { rule: ResultHead['rule'] }) {
  const t = useT('level-results')
  if (!rule) return t('no_rule')
  return (
    <Dotted>
      <span>
        {t('rule', {
          who: rule.decided_by,
          number: rule.decision_number,
          date: formatDate(rule.decided_on),
          course: formatNumber(Number(rule.per_course)),
        })}
      </span>
      {rule.in_all && <span>{t('rule_all', { all: formatNumber(Number(rule.in_all)) })}</span>}
      {rule.share && <span>{t('rule_share', { share: formatNumber(Number(rule.share)) })}</span>}
    </Dotted>
  )
}

/** What became of the students, and their ratings, before and with grace marks. */
function Charts({ head }: { head: ResultHead | undefined }) {
  const t = useT('level-results')
  const lang = useLanguage()
  const say = useLabel()
  return (
    <Cards even>
      <Chart
        kind="bar"
        horizontal
        title={t('outcomes')}
        data={
          head &&
          OUTCOMES.flatMap(({ value, label }) => {
            const one = head.outcomes.find((known) => known.outcome === value)
            return one ? [{ name: say(label), before: one.before, after: one.after }] : []
          })
        }
        series={[
          { key: 'before', label: ['Before grace marks', 'قبل درجات الرأفة'] },
          { key: 'after', label: ['With grace marks', 'بدرجات الرأفة'] },
        ]}
        pointLabel={['Result', 'النتيجة']}
      />
      <Chart
        kind="bar"
        horizontal
        title={t('ratings')}
        data={head?.ratings.map(({ rating, before, after }) => ({ name: nameOf(rating, lang), before, after }))}
        series={[
          { key: 'before', label: ['Before grace marks', 'قبل درجات الرأفة'] },
          { key: 'after', label: ['With grace marks', 'بدرجات الرأفة'] },
        ]}
        pointLabel={['Rating', 'التقدير']}
      />
    </Cards>
  )
}

/** Other results of the same level. */
function Others({ head }: { head: ResultHead }) {
  const t = useT('level-results')
  const say = useLabel()
  return (
    <section aria-label={t('others')}>
      <h2 className={css.heading}>{t('others')}</h2>
      <ul className={css.others}>
        {head.others.map((other) => (
          <li key={other.id}>
            <Link to={to('/control/levels/:id', { id: other.id })}>{formatDate(other.made_at)}</Link>{' '}
            <Status
              tone={RESULT_STATUSES.find((known) => known.value === other.status)!.tone}
              label={say(RESULT_STATUSES.find((known) => known.value === other.status)!.label)}
            />{' '}
            {t('students_count', { count: other.students })}
          </li>
        ))}
      </ul>
    </section>
  )
}
