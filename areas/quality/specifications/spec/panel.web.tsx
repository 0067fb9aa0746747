import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { Row } from '#kit/contract/index.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { Gaps } from '../matrix/gaps.web.tsx'
import { matrixCalls } from '../matrix/matrix.contract.ts'
import { specificationPaperCalls } from '../paper/paper.contract.ts'
import css from '../specifications.module.css'
import { specification, specificationFlow } from './specification.contract.ts'

const calls = resourceCalls(specification)
type Spec = Row<typeof specification>
interface OfRecord {
  readonly row: { readonly id: number }
}

export const SpecificationOfCourse = ({ row }: OfRecord) => <Versions of="course" id={row.id} />
export const SpecificationOfProgram = ({ row }: OfRecord) => <Versions of="program" id={row.id} />

/** The specifications of a course or program, the latest first, and what the latest lacks. */
function Versions({ of, id }: { readonly of: 'course' | 'program'; readonly id: number }) {
  const t = useT('specifications')
  const body = {
    filters: { [`${of}_id`]: [id] },
    order_by: 'year_id',
    order_direction: 'desc' as const,
    perPage: 50,
  }
  const { data, error, refetch } = useCall(calls.list, { body })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={260} />
  const rows = data.data.toSorted(
    (a, b) => (b.year_id ?? 0) - (a.year_id ?? 0) || (b.revision ?? 0) - (a.revision ?? 0),
  )
  const [latest] = rows
  return (
    <Stack>
      <Card title={t('versions')} text={t('versions_text')} aside={<Buttons of={of} id={id} rows={rows} />}>
        {rows.length ? (
          <Table
            label={t('versions')}
            rows={rows}
            rowKey={(row) => row.id}
            columns={[
              {
                key: 'year',
                label: t('year'),
                head: true,
                cell: (row) => (
                  <Link to={to('/specifications/:id', { id: row.id })}>{row.year ? nameOf(row.year) : '–'}</Link>
                ),
              },
              { key: 'revision', label: t('revision'), figure: true, cell: (row) => formatNumber(row.revision ?? 1) },
              {
                key: 'status',
                label: t('state'),
                cell: (row) => <StateBadge flow={specificationFlow as never} state={row.status ?? 'draft'} />,
              },
              {
                key: 'approved_on',
                label: t('approved_on'),
                cell: (row) => (row.approved_on ? formatDate(row.approved_on) : '–'),
              },
            ]}
          />
        ) : (
          <Empty title={t('no_specification')} text={t('no_specification_text')} />
        )}
      </Card>
      {latest && <Lacks id={latest.id} />}
    </Stack>
  )
}

function Buttons({
  of,
  id,
  rows,
}: {
  readonly of: 'course' | 'program'
  readonly id: number
  readonly rows: readonly Spec[]
}) {
  const t = useT('specifications')
  const me = useMe()
  const navigate = useNavigate()
  const { send } = useChange('/specifications')
  const take = (type: 'pdf' | 'xlsx') =>
    void act({
      go: () => download(specificationPaperCalls[of], { params: { type, id }, query: { lang: paperLanguageOf() } }),
      done: () => null,
    })
  const [latest] = rows
  const begin = (year_id: number) =>
    void act({
      go: () => send(calls.create, { body: { [`${of}_id`]: id, year_id } }),
      done: () => t('begun_first'),
    }).then((made) => made && navigate(to('/specifications/:id', { id: (made as { data: { id: number } }).data.id })))
  const adds = me.can('add_specification')
  return (
    <span className={css.buttons}>
      {latest && (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => take('pdf')}
          >
            {t('as_pdf')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => take('xlsx')}
          >
            {t('as_sheet')}
          </Button>
        </>
      )}
      {adds && latest?.status === 'approved' && latest.year_id !== null && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => begin(latest.year_id ?? 0)}
        >
          {t('new_version')}
        </Button>
      )}
      {adds && !latest && (
        <Button component={Link} to={to('/specifications/add')} size="compact-sm" variant="default">
          {t('begin')}
        </Button>
      )}
    </span>
  )
}

/** What the latest version lacks. */
function Lacks({ id }: { readonly id: number }) {
  const t = useT('specifications')
  const { data } = useCall(matrixCalls.sheet, { params: { id } })
  if (!data) return <Bone height={120} />
  const { gaps } = data.data
  return (
    <Card title={t('gaps')} text={t('gaps_latest')}>
      {gaps.length ? <Gaps gaps={gaps} /> : <Status is="met" label={t('nothing_missing')} />}
    </Card>
  )
}
