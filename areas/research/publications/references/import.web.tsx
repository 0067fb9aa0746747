import { Button, Progress } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { endOfJob } from '#kit/web/detail/job-end.ts'
import { Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from '../publications.module.css'
import { LINES_ON_PAGE, referenceCalls as calls, type ReferenceLine } from './references.contract.ts'

const IS = { added: 'done', known: 'waits', wrong: 'failed', read: 'current' } as const

/** A file of references: chosen, read, and what became of every entry. */
export default function ImportReferences() {
  const t = useT('publications')
  const [query, setQuery] = useSearchParams()
  const shown = Number(query.get('import')) || null
  const picker = useRef<HTMLInputElement>(null)
  const { busy, problem, go, send } = useChange('/publications')
  const [percent, setPercent] = useState<number | null>(null)
  const { data, error, refetch } = useCall(calls.imports, {})
  const take = (file: File) =>
    go(async () => {
      const { data: begun } = await send(calls.importReferences, { file })
      if (begun.job !== null) {
        setPercent(0)
        await endOfJob(begun.job, setPercent).finally(() => setPercent(null))
      }
      setQuery({ import: String(begun.import.id) })
      await refetch()
    })
  return (
    <Page title={t('import_title')} subtitle={t('import_text')}>
      <Stack>
        <Card title={t('choose_references')} text={t('choose_references_text')}>
          <input
            ref={picker}
            type="file"
            hidden
            accept=".bib,.bibtex,.ris,.json,.txt"
            aria-label={t('choose_references')}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              currentTarget.value = ''
              if (file) void take(file)
            }}
          />
          <Button
            loading={busy}
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            {t('choose_references')}
          </Button>
          {percent !== null && <Progress mt="sm" value={percent} aria-label={t('importing')} />}
          {problem !== null && <Problems error={problem} />}
        </Card>
        {shown !== null && <Outcome key={shown} id={shown} />}
        <Card title={t('imports')}>
          {error && !data ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : !data ? (
            <Bone height={120} />
          ) : data.data.length === 0 ? (
            <Empty title={t('no_imports')} />
          ) : (
            <Table
              label={t('imports')}
              rows={data.data}
              rowKey={(one) => one.id}
              columns={[
                {
                  key: 'name',
                  label: t('file'),
                  head: true,
                  cell: (one) => (
                    <Link to={`${to('/my_researches/publications/import', {})}?import=${one.id}`}>
                      <bdi>{one.name}</bdi>
                    </Link>
                  ),
                },
                { key: 'at', label: t('when'), cell: (one) => formatInstant(one.created_at) },
                { key: 'added', label: t('outcome_added'), figure: true, cell: (one) => formatNumber(one.added) },
                { key: 'known', label: t('outcome_known'), figure: true, cell: (one) => formatNumber(one.known) },
                { key: 'wrong', label: t('outcome_wrong'), figure: true, cell: (one) => formatNumber(one.wrong) },
              ]}
            />
          )}
        </Card>
      </Stack>
    </Page>
  )
}

const SHOWN = ['wrong', 'noted', 'added', 'known'] as const
/** Entry by entry; first those that did not come. */
function Outcome({ id }: { readonly id: number }) {
  const t = useT('publications')
  const [of, setOf] = useState<(typeof SHOWN)[number] | 'all'>('all')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(calls.importLines, {
    params: { id },
    query: { ...(of !== 'all' && { outcome: of }), ...(page > 1 && { page: String(page) }) } as never,
  })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  const { import: done, lines, count } = data.data
  const pages = Math.max(1, Math.ceil(count / LINES_ON_PAGE))
  return (
    <Card
      title={done.name}
      text={t('import_done', {
        added: formatNumber(done.added),
        known: formatNumber(done.known),
        wrong: formatNumber(done.wrong),
      })}
    >
      <div className={css.line} role="group" aria-label={t('show_lines')}>
        {(['all', ...SHOWN] as const).map((one) => (
          <Button
            key={one}
            size="compact-sm"
            variant={one === of ? 'filled' : 'default'}
            aria-pressed={one === of}
            onClick={() => {
              setOf(one)
              setPage(1)
            }}
          >
            {t(one === 'all' ? 'lines_all' : one === 'noted' ? 'lines_noted' : `outcome_${one}`)}
          </Button>
        ))}
      </div>
      {lines.length === 0 ? (
        <Empty title={t('no_lines')} />
      ) : (
        <Table
          label={done.name}
          rows={lines}
          rowKey={(one) => `${one.line} ${one.key}`}
          columns={[
            { key: 'line', label: t('line'), figure: true, cell: (one: ReferenceLine) => formatNumber(one.line) },
            {
              key: 'title',
              label: t('entry'),
              head: true,
              style: { minInlineSize: 200 },
              cell: (one) =>
                one.publication_id ? (
                  <Link to={to('/my_researches/publications/show/:id', { id: one.publication_id })}>
                    <bdi>{one.title ?? one.key}</bdi>
                  </Link>
                ) : (
                  <bdi>{one.title ?? one.key}</bdi>
                ),
            },
            {
              key: 'outcome',
              label: t('outcome'),
              cell: (one) => <Status is={IS[one.outcome]} label={t(`outcome_${one.outcome}`)} />,
            },
            {
              key: 'notes',
              label: t('remarks'),
              cell: (one) => (
                <ul className={css.notes}>
                  {one.notes.map((note) => (
                    <li key={note.code}>
                      <small>{problemText(note as never)}</small>
                    </li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      )}
      {pages > 1 && (
        <div className={css.line}>
          {page > 1 && (
            <Button variant="default" size="compact-sm" onClick={() => setPage(page - 1)}>
              {t('previous')}
            </Button>
          )}
          <small>{t('page_of', { page: formatNumber(page), pages: formatNumber(pages) })}</small>
          {page < pages && (
            <Button variant="default" size="compact-sm" onClick={() => setPage(page + 1)}>
              {t('next')}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
