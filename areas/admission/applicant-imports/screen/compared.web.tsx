import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { f } from '#kit/contract/index.ts'
import { download, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Problems, Status, act } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, problemText, useLabel, useT, withHeading } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { applicantImportCalls as calls, ROW_OUTCOMES, type ShownImport, type ShownRow } from '../import.contract.ts'
import { useFieldNames } from './columns.web.tsx'
import css from './import.module.css'

type Compared = ShownRow & AnyRow

/** What saving a file does: counts, mistakes, and every row; then saving it. */
export function ComparedRows({
  of,
  onColumns,
  onChanged,
  onLeave,
}: {
  readonly of: ShownImport
  readonly onColumns: () => void
  readonly onChanged: () => void
  readonly onLeave: () => void
}) {
  const t = useT('applicant-imports')
  const say = useLabel()
  const left = of.counts.wrong + of.counts.duplicate + of.counts.elsewhere + of.counts.decided
  return (
    <Stack>
      <Card>
        <Chart
          kind="bar"
          horizontal
          height={260}
          title={of.stage === 'saved' ? t('saved_n', { n: formatNumber(of.saved) }) : t('what_saving_does')}
          data={ROW_OUTCOMES.map(({ value, label }) => ({ name: say(label), rows: of.counts[value] }))}
          series={[{ key: 'rows', label: ['Rows', 'الصفوف'] }]}
          pointLabel={['Outcome', 'النتيجة']}
        />
        <Saving of={of} left={left} onColumns={onColumns} onChanged={onChanged} onLeave={onLeave} />
      </Card>
      {of.mistakes.length > 0 && (
        <Card
          title={t('mistakes')}
          aside={
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
              onClick={() =>
                void act({ go: () => download(calls.mistakes, { params: { id: of.id } }), done: () => null })
              }
            >
              {t('mistakes_sheet')}
            </Button>
          }
          text={t('mistakes_text')}
        >
          <ul className={css.list}>
            {of.mistakes.map(({ count, problem }) => (
              <li key={problem.code}>
                <Code>{formatNumber(count)}</Code> × {problemText(problem)}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Rows of={of} />
    </Stack>
  )
}

function Saving({
  of,
  left,
  onColumns,
  onChanged,
  onLeave,
}: {
  readonly of: ShownImport
  readonly left: number
  readonly onColumns: () => void
  readonly onChanged: () => void
  readonly onLeave: () => void
}) {
  const t = useT('applicant-imports')
  const k = useT('kit-screens')
  const { busy, problem, go, send } = useChange('/applicants/import')
  const writes = of.counts.new + of.counts.changed - of.saved
  if (of.stage === 'saved')
    return (
      <div className={css.buttons}>
        <Button component={Link} to={to('/applicants')}>
          {t('to_applicants')}
        </Button>
      </div>
    )
  const save = () =>
    go(async () => {
      await send(calls.save, { params: { id: of.id }, body: { new: of.counts.new, changed: of.counts.changed } })
      onChanged()
    })
  const discard = () =>
    void act({
      ask: { title: t('discard_title'), consequence: t('discard_text'), action: t('discard') },
      go: () => send(calls.discard, { params: { id: of.id } }),
      done: () => {
        onLeave()
        return t('discarded')
      },
    })
  return (
    <>
      {left > 0 && <p className={css.dim}>{t('left_out', { n: formatNumber(left) })}</p>}
      {of.saved > 0 && <p className={css.dim}>{t('partly', { n: formatNumber(of.saved) })}</p>}
      {problem !== null && <Problems error={problem} />}
      <div className={css.buttons}>
        <Submit loading={busy} missing={[writes === 0 && t('nothing_to_save')]} onClick={() => void save()}>
          {k('import_save', { count: writes })}
        </Submit>
        <Button variant="default" onClick={onColumns}>
          {t('other_columns')}
        </Button>
        {of.saved === 0 && (
          <Button variant="subtle" color="gray" onClick={discard}>
            {t('discard')}
          </Button>
        )}
      </div>
    </>
  )
}

function Rows({ of }: { readonly of: ShownImport }) {
  const t = useT('applicant-imports')
  const say = useLabel()
  const names = new Map(useFieldNames(of).map(({ value, label }) => [value, label]))
  const fieldName = (field: string) => (field === 'wishes' ? t('wishes') : (names.get(field) ?? field))
  const columns: readonly Column<Compared>[] = [
    {
      key: 'row',
      label: ['Row', 'الصف'],
      sort: true,
      align: 'end',
      width: 80,
      cell: (row) => <Code>{formatNumber(row.id)}</Code>,
    },
    {
      key: 'outcome',
      label: ['Outcome', 'النتيجة'],
      width: 150,
      cell: (row) => {
        const outcome = ROW_OUTCOMES.find(({ value }) => value === row.outcome)
        return (
          <span className={css.words}>
            {outcome && <Status tone={outcome.tone} label={say(outcome.label)} />}
            {row.saved && <small>{t('is_saved')}</small>}
          </span>
        )
      },
    },
    {
      key: 'name',
      label: ['Person', 'الشخص'],
      width: 240,
      cell: (row) => (
        <span className={css.words}>
          <bdi>{row.name ?? '–'}</bdi>
          <small>
            <bdi>{[row.ministry_number, row.identity].filter(Boolean).join(' · ')}</bdi>
          </small>
        </span>
      ),
    },
    {
      key: 'what',
      label: ['What changes, what is wrong', 'التعديل أو الخطأ'],
      width: 420,
      cell: (row) => <What of={row} fieldName={fieldName} />,
    },
    {
      key: 'applicant',
      label: ['Application', 'الطلب'],
      width: 150,
      cell: (row) =>
        row.applicant && (
          <Link to={to('/applicants/:id', { id: row.applicant.id })}>
            <Code>{row.applicant.code}</Code>
          </Link>
        ),
    },
  ]
  return (
    <ListScreen<Compared>
      page={false}
      call={calls.rows}
      params={{ id: of.id }}
      name="applicant-import-rows"
      title={['Rows of the file', 'صفوف الملف']}
      columns={columns}
      order={['row', 'asc']}
      filters={{ outcome: f.choice(['Outcome', 'النتيجة'], ROW_OUTCOMES) }}
      rowName={(row) => row.name ?? String(row.id)}
      empty={{ title: t('no_rows') }}
    />
  )
}

/** What changes, old beside new, or what is wrong and with which cell. */
function What({ of, fieldName }: { readonly of: Compared; readonly fieldName: (field: string) => string }) {
  const t = useT('applicant-imports')
  return (
    <span className={css.words}>
      {of.changes.map((change) => (
        <span key={change.field}>
          {t('from_to', { field: fieldName(change.field), old: change.old ?? '–', new: change.new ?? '–' })}
        </span>
      ))}
      {of.errors.map((error, i) => (
        <span key={i}>
          {error.column !== null && (
            <small>
              <bdi>{error.value ? withHeading(error.column, error.value) : error.column}</bdi>
              {' – '}
            </small>
          )}
          {problemText(error.problem)}
        </span>
      ))}
    </span>
  )
}
