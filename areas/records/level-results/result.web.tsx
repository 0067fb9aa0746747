import { Button, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCalculator,
  IconCheck,
  IconFileSpreadsheet,
  IconPrinter,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Failed, Name, Status, act, notify, withOverlay } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatNumber,
  nameOf,
  paperLanguageOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import type { BulkAnswer } from '#kit/web/list/bulk.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Cards, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { levelCalls, type ResultCourse, type ResultHead, type ResultRow } from './levels.contract.ts'
import { LevelState, OutcomeBadge } from './parts.web.tsx'
import { OUTCOMES, RESULT_STATUSES } from './words.contract.ts'
import css from './level-results.module.css'

type Row = ResultRow & AnyRow

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
        .filter((one) => one.state !== 'passed' || one.grace)
        .map((one) => (
          <span key={one.course_id} data-state={one.state} title={`${nameOf(one, lang)} · ${t(`state_${one.state}`)}`}>
            <Code>{one.code}</Code>{' '}
            {one.mark === null ? (
              t(`state_${one.state}`)
            ) : (
              <Code>
                {formatNumber(Number(one.mark))}/{formatNumber(Number(one.maximum))}
              </Code>
            )}
            {one.grace && (
              <span className={css.grace}>
                {' '}
                <Code>+{formatNumber(Number(one.grace))}</Code>
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
  const say = useLabel()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { send } = useChange('/control', '/students')
  const { data, error, refetch } = useCall(levelCalls.show, { params: { id } })
  const head = data?.data
  if (error && !head) return <Failed error={error} retry={() => void refetch()} />
  const may = (key: string) => head?.abilities.includes(key) ?? false
  const whom = { count: head?.students ?? 0, names: [] }
  const title = head ? `${nameOf(head, lang)} · ${nameOf(head.year, lang)}` : ''
  const apply = () =>
    act({
      ask: {
        title: t('ask_apply', { level: title }),
        consequence: t('apply_text', { count: whom.count }),
        action: t('apply'),
        whom,
        heavy: true,
      },
      go: () => send(levelCalls.apply, { body: { id, version: head!.version } }),
      done: ({ data: { students } }) => t('done_apply', { count: students }),
    })
  const announce = () =>
    act({
      ask: { title: t('ask_announce', { level: title }), consequence: t('announce_text'), action: t('announce'), whom },
      go: () => send(levelCalls.announce, { body: { id } }),
      done: ({ data: { students } }) => t('done_announce', { count: students }),
    })
  const again = async () => {
    const { bylaw_id, year_id, level } = head!
    const answer = await act({
      go: () => send(levelCalls.preview, { body: { bylaw_id, year_id, level } }),
      done: () => null,
    })
    if (answer) void navigate(to('/control/levels/:id', { id: answer.data.id }))
  }
  const undo = () =>
    askReason({
      title: t('ask_undo', { level: title }),
      text: t('undo_text'),
      action: t('undo'),
      danger: true,
      whom,
      heavy: true,
      go: async (reason) => {
        await send(levelCalls.undo, { body: { id, reason } })
        notify.done(t('done_undo'))
      },
    })
  /** Of the selected students alone: all of them, or none and why. */
  const undoOf = async (ids: readonly number[], concerned: Concerned): Promise<BulkAnswer> => {
    let done: readonly number[] = []
    await askReason({
      title: t('ask_undo_named', { count: ids.length }),
      text: t('undo_text'),
      action: t('undo'),
      danger: true,
      whom: concerned,
      heavy: true,
      go: async (reason) => {
        await send(levelCalls.undo, { body: { id, reason, student_ids: [...ids] } })
        done = ids
      },
    })
    return { done, failed: [] }
  }
  const sheet = (purpose: 'approval' | 'announcement', format: 'pdf' | 'xlsx') =>
    void withOverlay(
      download(levelCalls.sheet, { params: { id, lang: paperLanguageOf() }, body: { purpose, format } }),
    ).catch(notify.error)
  const main = may('apply')
    ? { label: t('apply'), icon: <IconCheck size={16} aria-hidden />, run: apply }
    : may('announce')
      ? { label: t('announce'), icon: <IconSpeakerphone size={16} aria-hidden />, run: announce }
      : null
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
      menu={
        head && (
          <>
            {may('preview') && (
              <Menu.Item leftSection={<IconCalculator size={15} aria-hidden />} onClick={() => void again()}>
                {t('preview_again')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => sheet('approval', 'pdf')}>
              {t('sheet_approval')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileSpreadsheet size={15} aria-hidden />}
              onClick={() => sheet('approval', 'xlsx')}
            >
              {t('sheet_approval_xlsx')}
            </Menu.Item>
            {head.status === 'announced' && (
              <Menu.Item
                leftSection={<IconPrinter size={15} aria-hidden />}
                onClick={() => sheet('announcement', 'pdf')}
              >
                {t('sheet_announcement')}
              </Menu.Item>
            )}
            {may('undo') && (
              <Menu.Item
                color="red"
                leftSection={<IconArrowBackUp size={15} aria-hidden />}
                onClick={() => void undo()}
              >
                {t('undo')}
              </Menu.Item>
            )}
          </>
        )
      }
    >
      <Stack>
        <p className={css.text}>
          {head ? (
            head.rule ? (
              <Dotted>
                <span>
                  {t('rule', {
                    who: head.rule.decided_by,
                    number: head.rule.decision_number,
                    date: formatDate(head.rule.decided_on),
                    course: formatNumber(Number(head.rule.per_course)),
                  })}
                </span>
                {head.rule.in_all && <span>{t('rule_all', { all: formatNumber(Number(head.rule.in_all)) })}</span>}
                {head.rule.share && <span>{t('rule_share', { share: formatNumber(Number(head.rule.share)) })}</span>}
              </Dotted>
            ) : (
              t('no_rule')
            )
          ) : (
            '\u00A0'
          )}
        </p>
        {head && head.changed > 0 && (
          <p className={css.text}>
            <Status is="revised" label={t('changed', { count: head.changed })} />{' '}
            {head.status !== 'previewed' && <Link to={to('/outdated-decisions')}>{t('changed_decide')}</Link>}
          </p>
        )}
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
        {head && head.others.length > 0 && (
          <section aria-label={t('others')}>
            <h2 className={css.heading}>{t('others')}</h2>
            <ul className={css.others}>
              {head.others.map((one) => (
                <li key={one.id}>
                  <Link to={to('/control/levels/:id', { id: one.id })}>{formatDate(one.made_at)}</Link>{' '}
                  <Status
                    tone={RESULT_STATUSES.find((known) => known.value === one.status)!.tone}
                    label={say(RESULT_STATUSES.find((known) => known.value === one.status)!.label)}
                  />{' '}
                  {t('students_count', { count: one.students })}
                </li>
              ))}
            </ul>
          </section>
        )}
      </Stack>
    </Page>
  )
}
