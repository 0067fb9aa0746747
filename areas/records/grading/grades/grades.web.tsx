import { Button, Menu, Modal } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDownload,
  IconFileSpreadsheet,
  IconHistory,
  IconPrinter,
  IconScale,
  IconTableImport,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Ref } from 'react'
import { ApiError, download, keyOf, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { GradeGrid } from '#kit/web/grid/grade-grid.tsx'
import type { ComputedColumn, FrozenColumn, GradeGridHandle, GridColumn, GridRow as Row } from '#kit/web/grid/types.ts'
import type { CellValue } from '#kit/web/grid/model.ts'
import {
  errorText,
  formatInstant,
  formatList,
  formatNumber,
  nameOf,
  paperLanguageOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StepHistoryDialog } from '#kit/web/workflow/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { control, controlSteps } from '../control/flow.contract.ts'
import { gradeOf, readMark, type Grade, type Mark } from '../grading.rules.ts'
import { ControlBadge, useControlSteps } from '../parts.web.tsx'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { gradeCalls, type Grid, type GridRow } from './grades.contract.ts'
import { gradingBylaw } from './grades.rules.ts'
import css from '../grading.module.css'

interface Line extends Row, Record<string, unknown> {
  readonly source: GridRow
}

/** Works out the grade of a row from what stands in its cells now, by the same rules as the server. */
function useGrading(grid: Grid | undefined) {
  return useMemo(() => {
    const categories =
      grid?.scheme.map(({ id, max, is_final_exam }) => ({
        id,
        maximum: parseHundredths(max) ?? 0,
        final_exam: is_final_exam,
      })) ?? []
    const kind = grid?.offering.course.grade_kind ?? 'letter'
    return (get: (key: string) => CellValue, row: GridRow, attempt = row.attempt): Grade | null => {
      const bylaw = grid?.bylaws[row.bylaw_id]
      if (!bylaw || !categories.length || grid.scheme_problems.length) return null
      const marks: Record<number, Mark | null> = {}
      for (const { id, maximum } of categories) {
        const read = readMark(get(String(id)) ?? '', maximum)
        marks[id] = 'mark' in read ? read.mark : null
      }
      try {
        return gradeOf({
          scheme: { categories, places: bylaw.total_places, grade_type: kind },
          marks,
          main: row.main,
          audit: row.audit,
          attempt,
          bylaw: gradingBylaw({ ...bylaw, special_grades: bylaw.special_grades }, kind),
        })
      } catch {
        // A bylaw whose ranges have a hole: the server names it when the marks are submitted.
        return null
      }
    }
  }, [grid])
}

/** What is missing before marks can be submitted, student by student, as the refusal names it. */
interface Missing {
  registration_id: number
  student: { code: string; name: string; name_local: string }
  categories: { code: string; name: string; name_local: string }[]
}
/** Why a step was refused. What is missing leaves the grid in sight and shrinks as marks are saved; each line leads to its cell. */
function MissingMarks({
  error,
  grid,
  onGo,
}: {
  error: ApiError
  grid: Grid
  onGo: (registration: number, key: string) => void
}) {
  const t = useT('grading')
  const lang = useLanguage()
  const rows = new Map(grid.rows.map((row) => [row.registration_id, row]))
  const marks = error.errors.find((one) => one.code === 'control_marks')
  // Those whose marks are all there lack something else, which is a reason of its own.
  const named = ((marks?.data?.students ?? []) as Missing[]).filter((one) => one.categories.length > 0)
  const students = named.flatMap((one) => {
    const cells = grid.scheme.filter(
      ({ id, code }) =>
        one.categories.some((category) => category.code === code) && !rows.get(one.registration_id)?.marks[String(id)],
    )
    return cells[0] ? [{ ...one, cells, first: String(cells[0].id) }] : []
  })
  // The refusal names the first hundred students and counts all.
  const count = Number(marks?.data?.count ?? 0) - (named.length - students.length)
  const first = students[0]
  return (
    <div
      className={css.lacking}
      role="alert"
      data-done={(marks && error.errors.length === 1 && count === 0) || undefined}
    >
      {error.errors.map((one, i) => one !== marks && <p key={i}>{problemText(one)}</p>)}
      {marks && (
        <p>
          <strong>{count > 0 ? t('missing_students', { count }) : t('missing_none')}</strong>
          {first && (
            <button type="button" className={css.jump} onClick={() => onGo(first.registration_id, first.first)}>
              {t('missing_first')}
            </button>
          )}
        </p>
      )}
      {first && (
        <ul className={css.missing} aria-label={t('missing_marks')}>
          {students.map((one) => (
            <li key={one.registration_id}>
              <button type="button" className={css.jump} onClick={() => onGo(one.registration_id, one.first)}>
                <Code>{one.student.code}</Code> <bdi>{nameOf(one.student, lang)}</bdi>
              </button>{' '}
              <span className={css.dim}>{formatList(one.cells.map((category) => nameOf(category, lang)))}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A letter as the grid shows it: failing ones stand out, and one that the marks alone do not explain says why it is so. */
const letterOf = (result: Grade | null, why: string | undefined, rating: string | undefined) =>
  result?.letter ? (
    <span
      className={`${css.letter} ${result.outcome === 'failed' ? css.refused : ''}`}
      data-explained={why ? true : undefined}
      title={why}
    >
      {rating ?? <Code>{result.letter}</Code>}
      {why && <span className="sr">{why}</span>}
    </span>
  ) : (
    ''
  )

/** A letter that the marks alone do not explain, and what it means. */
interface Sign {
  readonly letter: string
  readonly means: string
}
const Signs = ({ signs }: { signs: readonly Sign[] }) => {
  const t = useT('grading')
  return (
    <dl className={css.signs} aria-label={t('signs')}>
      {signs.map(({ letter, means }) => (
        <div key={`${letter} ${means}`}>
          <dt>
            <Code>{letter}</Code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Figures over what stands in the grid now. */
interface Totals {
  entered: number
  graded: number
  passed: number
  sum: number
}

/** Width of a name on a phone, in two lines. */
const NAME_ON_PHONE = 112

/** Entry of marks: for the instructor until submission, for control until approval; a reading view for others. */
export function MarksGrid({
  grid,
  onTotals,
  handle,
}: {
  grid: Grid
  onTotals?: (totals: Totals) => void
  handle?: Ref<GradeGridHandle>
}) {
  const t = useT('grading')
  const say = useLabel()
  const lang = useLanguage()
  const client = useQueryClient()
  const { send } = useChange('/control')
  const grade = useGrading(grid)
  const narrow = window.innerWidth < 640
  const rows = useMemo(
    (): Line[] =>
      grid.rows.map((row) => ({
        id: row.registration_id,
        source: row,
        cells: Object.fromEntries(Object.entries(row.marks).map(([key, cell]) => [key, cell.mark])),
        ...(!row.writable && { locked: true as const }),
      })),
    [grid.rows],
  )
  const frozen: FrozenColumn<Line>[] = [
    ...(narrow
      ? []
      : [
          {
            key: 'code',
            label: t('code'),
            width: 108,
            render: (row: Line) => <Code>{row.source.student.code}</Code>,
            text: (row: Line) => row.source.student.code ?? '',
          },
        ]),
    {
      key: 'name',
      label: t('student'),
      width: narrow ? NAME_ON_PHONE : 290,
      text: (row) => nameOf(row.source.student, lang),
      render: (row) => {
        const { source } = row
        const state = source.main === 'Registered' ? undefined : RESULT_STATES.find((one) => one.value === source.main)
        const attempt =
          source.attempt && source.attempt !== 'Fresh'
            ? ATTEMPTS.find((one) => one.value === source.attempt)
            : undefined
        return (
          <span className={css.student} title={`${source.student.code} ${nameOf(source.student, lang)}`}>
            <Name row={source.student} />
            {state && (
              <>
                {' '}
                <Status tone={state.tone} label={say(state.label)} />
              </>
            )}
            {attempt && <small className={css.dim}> {say(attempt.label)}</small>}
          </span>
        )
      },
    },
  ]
  // As many as can be read stand beside the name, so that nobody has to look for the final exam.
  const phoneWidth = Math.max(
    54,
    Math.min(84, Math.floor((window.innerWidth - 32 - NAME_ON_PHONE) / Math.max(1, grid.scheme.length))),
  )
  // A new list of columns would make the grid read everything again.
  const columns = useMemo(
    () =>
      grid.scheme.map((category): GridColumn => ({
        key: String(category.id),
        label: nameOf(category, lang),
        max: Number(category.max),
        // Room for the name of the category, which Arabic writes in full.
        width: narrow ? phoneWidth : Math.min(168, Math.max(104, nameOf(category, lang).length * 7 + 24)),
      })),
    [grid.scheme, lang, narrow, phoneWidth],
  )
  /** By marks a result has a rating, which has a name. */
  const ratingOf = useCallback(
    (result: Grade | null, row: GridRow): string | undefined => {
      const found = grid.bylaws[row.bylaw_id]?.marks?.ratings.find((one) => one.code === result?.letter)
      return found && nameOf(found, lang)
    },
    [grid.bylaws, lang],
  )
  /**
   * Why a letter is not what its marks would give (the final exam alone, a state, the most that a repeat counts), for its
   * row; and what the letter means so, for all of them.
   */
  const whyOf = useCallback(
    (result: Grade, get: (key: string) => CellValue, row: GridRow): { why: string; means: string } | undefined => {
      const one = (text: string) => ({ why: text, means: text })
      if (result.failed_final) return one(t('failed_final'))
      if (row.audit) return one(t('audit_letter'))
      if (result.state === 'special') {
        const state = RESULT_STATES.find((known) => known.value === row.main)
        return row.main === 'Registered' ? one(t('absent_final')) : state && one(say(state.label))
      }
      if (row.attempt === null || row.attempt === 'Fresh') return undefined
      const fresh = grade(get, row, 'Fresh')
      const otherwise = fresh?.letter
      const attempt = ATTEMPTS.find((known) => known.value === row.attempt)
      if (!otherwise || otherwise === result.letter || !attempt) return undefined
      return {
        why: t('capped_letter', { letter: ratingOf(fresh, row) ?? otherwise, attempt: say(attempt.label) }),
        means: t('capped_means', { attempt: say(attempt.label) }),
      }
    },
    [grade, ratingOf, say, t],
  )
  const failing = useMemo(
    () => new Map(grid.failing.map((one) => [one.letter, nameOf(one, lang)])),
    [grid.failing, lang],
  )
  const byMarks = Object.values(grid.bylaws).some((bylaw) => bylaw.marks)
  const whole = grid.scheme.reduce((sum, category) => sum + Number(category.max), 0)
  const [signs, setSigns] = useState<readonly Sign[]>([])
  const computed: ComputedColumn[] = [
    {
      key: 'total',
      label: byMarks ? `${t('total')} (${formatNumber(whole)})` : t('total'),
      width: byMarks ? 104 : 76,
      value: (get, row) => {
        const total = grade(get, (row as Line).source)?.total
        return total == null ? '' : trimHundredths(total)
      },
    },
    {
      key: 'letter',
      label: t('grade'),
      width: byMarks ? 104 : 76,
      value: (get, row) => {
        const { source } = row as Line
        const result = grade(get, source)
        return letterOf(result, result ? whyOf(result, get, source)?.why : undefined, ratingOf(result, source))
      },
    },
  ]
  const totals = useCallback(
    (get: (row: number, key: string) => CellValue, lines: readonly Line[]) => {
      const sum: Totals = { entered: 0, graded: 0, passed: 0, sum: 0 }
      const found = new Map<string, Sign>()
      for (const line of lines) {
        const read = (key: string) => get(line.id, key)
        const result = grade(read, line.source)
        const means =
          result?.letter &&
          (whyOf(result, read, line.source)?.means ??
            (result.outcome === 'failed' ? failing.get(result.letter) : undefined))
        const letter = ratingOf(result, line.source) ?? result?.letter
        if (means && letter) found.set(`${letter} ${means}`, { letter, means })
        if (!line.source.writable) continue
        if (grid.scheme.some((category) => get(line.id, String(category.id)) !== null)) sum.entered++
        if (!result?.letter) continue
        sum.graded++
        if (result.outcome === 'passed') sum.passed++
        // By marks courses have maxima of their own: the mean is one of shares.
        sum.sum += ((result.total ?? 0) * 10000) / (result.maximum ?? 10000)
      }
      onTotals?.(sum)
      const next = [...found.values()].toSorted((a, b) => a.letter.localeCompare(b.letter))
      setSigns((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    },
    [grade, whyOf, ratingOf, failing, grid.scheme, onTotals, setSigns],
  )
  const save = async (cells: readonly { row: number; key: string; value: CellValue }[]) => {
    const byId = new Map(grid.rows.map((row) => [row.registration_id, row]))
    const sent = cells.map(({ row, key, value }) => ({
      registration_id: row,
      offering_mark_id: Number(key),
      mark: value,
      version: byId.get(row)?.marks[key]?.version ?? null,
    }))
    let answer: ResponseOf<typeof gradeCalls.save>
    try {
      answer = await send(gradeCalls.save, { body: { offering_id: grid.offering.id, cells: sent } })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const at = error.errors.flatMap((one) => {
        const index = /^cells\.(\d+)\./.exec(one.field ?? '')?.[1]
        const cell = index === undefined ? undefined : cells[Number(index)]
        return cell ? [{ row: cell.row, key: cell.key, text: problemText(one) }] : []
      })
      if (!at.length) throw error
      return { refused: at }
    }
    // What was saved, and what others saved meanwhile, comes back: the grid compares with it from now on.
    const changed = new Map(answer.rows.map((row) => [row.registration_id, row]))
    client.setQueryData(
      keyOf(gradeCalls.grid, { params: { id: grid.offering.id } }),
      (old: { data: Grid } | undefined) =>
        old && { data: { ...old.data, rows: old.data.rows.map((row) => changed.get(row.registration_id) ?? row) } },
    )
    return {
      refused: answer.conflicts.map((one) => ({
        row: one.registration_id,
        key: String(one.offering_mark_id),
        text: t('changed_by', {
          name: one.by ? nameOf(one.by, lang) : t('somebody'),
          mark:
            one.theirs === null ? t('empty_mark') : one.theirs === 'A' ? t('absent') : formatNumber(Number(one.theirs)),
        }),
      })),
    }
  }
  return (
    <GradeGrid<Line>
      label={t('marks_of', { course: grid.offering.course.code ?? '' })}
      rows={rows}
      frozen={frozen}
      columns={columns}
      computed={computed}
      onSave={save}
      onTotals={totals}
      readOnly={grid.editor === null}
      handle={handle}
      foot={signs.length > 0 && <Signs signs={signs} />}
    />
  )
}

/** Why marks cannot be written now, and until when they can. */
function Notice({ grid }: { grid: Grid }) {
  const t = useT('grading')
  const { window: entry } = grid
  if (grid.scheme_problems.length) return null
  if (grid.editor === 'control') return <p className={css.notice}>{t('as_control')}</p>
  if (entry && grid.offering.control_status === 'Draft') {
    return (
      <p className={css.notice} data-tone={entry.open ? undefined : 'waiting'}>
        {entry.open
          ? t('window_open', { until: formatInstant(entry.ends_at) })
          : t('window_closed', { from: formatInstant(entry.starts_at), until: formatInstant(entry.ends_at) })}
      </p>
    )
  }
  return grid.editor === null && grid.offering.control_status !== 'Draft' ? (
    <p className={css.notice}>{t('read_only_status')}</p>
  ) : null
}

function SchemeDialog({ grid, onClose }: { grid: Grid; onClose: () => void }) {
  const t = useT('grading')
  const [mark_id, setMark] = useState<number | null>(grid.offering.mark?.id ?? null)
  const { problem, busy, go, send } = useChange('/offerings', '/control')
  const save = async () => {
    const body = { mark_id, version: grid.offering.version }
    if (await go(() => send(gradeCalls.setScheme, { params: { id: grid.offering.id }, body }))) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('choose_scheme')}
      size={460}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p className={css.text}>{t('choose_scheme_text')}</p>
      <LookupInput
        resource="mark"
        name="mark_id"
        label={t('scheme')}
        defaultValue={mark_id}
        known={grid.offering.mark}
        onChange={(value) => setMark(value)}
        error={problem === null ? null : errorText(problem)}
      />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button loading={busy} disabled={mark_id === null} onClick={() => void save()}>
          {t('save')}
        </Button>
      </div>
    </Modal>
  )
}

/** The marks of an offering: grid, figures that follow what is typed, files, and the next step of control. */
export default function Grades() {
  const t = useT('grading')
  const lang = useLanguage()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(gradeCalls.grid, { params: { id } })
  const grid = data?.data
  const [totals, setTotals] = useState<Totals | null>(null)
  const follow = useCallback(
    (now: Totals) => setTotals((old) => (old && JSON.stringify(old) === JSON.stringify(now) ? old : now)),
    [],
  )
  const [dialog, setDialog] = useState<'scheme' | 'history' | null>(null)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const steps = useControlSteps((problem) => {
    // Missing marks are listed in the page, where there is room for them.
    const missing = problem.errors.some((one) => one.code === 'control_marks')
    setRefused(missing ? problem : null)
    return missing
  })
  const cells = useRef<GradeGridHandle>(null)
  if (error && !grid)
    return (
      <Page title={t('marks')}>
        <Failed error={error} retry={() => void refetch()} />
        {error instanceof ApiError && error.errors.some((one) => one.code === 'names_closed') && (
          <Button component={Link} to={to('/control/offerings/barcode/:id', { id })} style={{ alignSelf: 'start' }}>
            {t('mark_papers')}
          </Button>
        )}
      </Page>
    )
  const can = (ability: string) => grid?.abilities.includes(ability) ?? false
  const status = grid?.offering.control_status ?? 'Draft'
  const row = grid && {
    id,
    version: grid.offering.version,
    control_status: status,
    course: grid.offering.course,
    abilities: grid.abilities,
  }
  const next = row && steps.next(row)
  const file = (work: Promise<void>) => void withOverlay(work).catch((problem: unknown) => notify.error(problem))
  const graded = totals?.graded ?? 0
  return (
    <Page
      title={grid?.offering.course}
      subtitle={
        grid && (
          <>
            <Code>
              {grid.offering.course.code} ({grid.offering.code})
            </Code>{' '}
            · <bdi>{nameOf(grid.offering.term, lang)}</bdi> · <ControlBadge status={status} />
          </>
        )
      }
      facts={
        grid
          ? [
              { label: t('students'), value: <Code>{formatNumber(grid.rows.length)}</Code> },
              { label: t('with_result'), value: <Code>{formatNumber(graded)}</Code> },
              ...(graded
                ? [
                    {
                      label: t('passed'),
                      value: <Code>{formatNumber(Math.round(((totals?.passed ?? 0) * 100) / graded))}%</Code>,
                    },
                    { label: t('mean'), value: <Code>{formatNumber((totals?.sum ?? 0) / graded / 100, 1)}</Code> },
                  ]
                : []),
            ]
          : undefined
      }
      action={
        next && (
          <Button
            onClick={() => {
              setRefused(null)
              next.onSelect?.()
            }}
          >
            {next.label}
          </Button>
        )
      }
      menu={
        grid && (
          <>
            {can('import') && (
              <Menu.Item
                leftSection={<IconTableImport size={15} />}
                onClick={() => void navigate(to('/offerings/import_grades/:id', { id }))}
              >
                {t('import_sheet')}
              </Menu.Item>
            )}
            {(can('export') || can('import')) && grid.rows.length > 0 && (
              <>
                <Menu.Item
                  leftSection={<IconFileSpreadsheet size={15} />}
                  onClick={() => file(download(gradeCalls.exportSheet, { params: { id, x: 'marks' } }))}
                >
                  {t('export_sheet')}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconDownload size={15} />}
                  onClick={() => file(download(gradeCalls.exportSheet, { params: { id, x: 'template' } }))}
                >
                  {t('template')}
                </Menu.Item>
              </>
            )}
            <Menu.Item
              leftSection={<IconPrinter size={15} />}
              onClick={() => file(download(gradeCalls.exportPdf, { params: { id, lang: paperLanguageOf() } }))}
            >
              {t('print')}
            </Menu.Item>
            {can('scheme') && (
              <Menu.Item leftSection={<IconScale size={15} />} onClick={() => setDialog('scheme')}>
                {t('choose_scheme')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => setDialog('history')}>
              {t('history')}
            </Menu.Item>
            {can('undo') && (
              <>
                <Menu.Divider />
                <Menu.Item
                  leftSection={<IconArrowBackUp size={15} className="pointing" />}
                  onClick={() => void steps.take(row!, 'undo')}
                >
                  {steps.label(row!, 'undo')}
                </Menu.Item>
              </>
            )}
          </>
        )
      }
    >
      {refused && grid && <MissingMarks error={refused} grid={grid} onGo={(row, key) => cells.current?.go(row, key)} />}
      {!grid ? (
        <Bone height={480} />
      ) : grid.scheme_problems.length ? (
        <Empty
          title={t('scheme_wanted')}
          text={grid.scheme_problems.map((one) => problemText(one)).join(' ')}
          action={can('scheme') && <Button onClick={() => setDialog('scheme')}>{t('choose_scheme')}</Button>}
        />
      ) : grid.rows.length ? (
        <>
          <Notice grid={grid} />
          <MarksGrid grid={grid} onTotals={follow} handle={cells} />
        </>
      ) : (
        <Empty title={t('no_students')} text={t('no_students_text')} />
      )}
      {dialog === 'scheme' && grid && <SchemeDialog grid={grid} onClose={() => setDialog(null)} />}
      {dialog === 'history' && grid && (
        <StepHistoryDialog
          flow={control}
          calls={controlSteps}
          id={id}
          title={grid.offering.course.code ?? ''}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  )
}
