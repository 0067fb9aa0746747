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
import { useCallback, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Problem } from '#kit/contract/schema.ts'
import { ApiError, download, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, alert, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import type { GradeGridHandle } from '#kit/web/grid/types.ts'
import {
  errorText,
  formatInstant,
  formatNumber,
  nameOf,
  paperLanguageOf,
  problemText,
  translate,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StepHistoryDialog } from '#kit/web/workflow/index.ts'
import { control, controlSteps } from '../control/flow.contract.ts'
import { ControlBadge, useControlSteps } from '../parts.web.tsx'
import { gradeCalls, type Grid } from './grades.contract.ts'
import { MarksGrid } from './marks-grid.web.tsx'
import { MissingMarksList, lackingMarks } from './missing.web.tsx'
import type { Totals } from './use-letters.web.ts'
import css from '../grading.module.css'

/** That marks are not entered now, and when they are. */
const closedWords = (entry: NonNullable<Grid['window']>): string =>
  translate('grading', 'window_closed', { from: formatInstant(entry.starts_at), until: formatInstant(entry.ends_at) })

/** Why marks cannot be written now, and until when they can. */
function Notice({ grid }: { grid: Grid }) {
  const t = useT('grading')
  const { window: entry } = grid
  if (grid.scheme_problems.length) return null
  if (grid.editor === 'control') return <p className={css.notice}>{t('as_control')}</p>
  if (entry && grid.offering.control_status === 'Draft') {
    return (
      <p className={css.notice} data-tone={entry.open ? undefined : 'waiting'}>
        {entry.open ? t('window_open', { until: formatInstant(entry.ends_at) }) : closedWords(entry)}
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
        <Submit loading={busy} missing={[mark_id === null && t('scheme')]} onClick={() => void save()}>
          {t('save')}
        </Submit>
      </div>
    </Modal>
  )
}

/** Sheets and papers of the marks. */
function GradesMenu({
  grid,
  onDialog,
  children,
}: {
  grid: Grid
  onDialog: (dialog: 'scheme' | 'history') => void
  children: ReactNode
}) {
  const t = useT('grading')
  const navigate = useNavigate()
  const { id } = grid.offering
  const can = (ability: string) => grid.abilities.includes(ability)
  const file = (work: Promise<void>) => void withOverlay(work).catch((problem: unknown) => notify.error(problem))
  return (
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
        <Menu.Item leftSection={<IconScale size={15} />} onClick={() => onDialog('scheme')}>
          {t('choose_scheme')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => onDialog('history')}>
        {t('history')}
      </Menu.Item>
      {children}
    </>
  )
}

/** The marks of an offering: grid, figures that follow what is typed, files, and the next step of control. */
export default function Grades() {
  const t = useT('grading')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(gradeCalls.grid, { params: { id } })
  const grid = data?.data
  const [totals, setTotals] = useState<Totals | null>(null)
  const follow = useCallback(
    (now: Totals) => setTotals((old) => (old && JSON.stringify(old) === JSON.stringify(now) ? old : now)),
    [],
  )
  const [dialog, setDialog] = useState<'scheme' | 'history' | null>(null)
  const [refused, setRefused] = useState<readonly Problem[] | null>(null)
  const steps = useControlSteps((problem) => {
    // Missing marks are listed in the page, where there is room for them.
    const missing = problem.errors.some((one) => one.code === 'control_marks')
    setRefused(missing ? problem.errors : null)
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
    ...(totals && { students: totals.graded + totals.lacking.length, missing_marks: totals.lacking.length }),
  }
  const next = row && steps.next(row)
  const graded = totals?.graded ?? 0
  /** What was typed goes with it, and what is missing is told instead of asked about. */
  const goOn = async () => {
    setRefused(null)
    if (cells.current && !(await cells.current.save())) return
    const missing = grid && totals && status === 'Draft' ? lackingMarks(grid, totals.lacking) : []
    // Before all else: nothing could be entered now.
    if (status === 'Draft' && grid?.editor === null && grid.window && !grid.window.open)
      return alert({ title: next?.label ?? '', text: closedWords(grid.window) })
    if (missing.length) setRefused(missing)
    else next?.onSelect?.()
  }
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
                    { label: t('mean'), value: <Code>{formatNumber((totals?.sum ?? 0) / graded / 100, 1)}%</Code> },
                  ]
                : []),
            ]
          : undefined
      }
      action={next && <Button onClick={() => void goOn()}>{next.label}</Button>}
      menu={
        grid && (
          <GradesMenu grid={grid} onDialog={setDialog}>
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
          </GradesMenu>
        )
      }
    >
      {refused && grid && (
        <MissingMarksList problems={refused} grid={grid} onGo={(row, key) => cells.current?.go(row, key)} />
      )}
      {!grid ? (
        <Bone height={480} />
      ) : grid.scheme_problems.length ? (
        <Empty
          title={t('scheme_wanted')}
          text={grid.scheme_problems.map((schemeProblem) => problemText(schemeProblem)).join(' ')}
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
