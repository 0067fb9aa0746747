import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck, IconDownload, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { download, refresh, send, useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status, notify, useShortcut, withOverlay } from '#kit/web/feedback/index.ts'
import { formatNumber, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../desk/desk.module.css'
import { changeCalls } from '../requests/request.contract.ts'
import { advisingCalls } from './advising.contract.ts'

const PER_PAGE = 50

/** The advisor's own students: who waits for an answer stands first, and is answered with one click or key. */
export default function MyAdvising() {
  const t = useT('registration')
  const client = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const waiting = query.get('waiting') !== 'false'
  const page = Math.max(1, Number(query.get('page')) || 1)
  const [typed, setTyped] = useState(query.get('search') ?? '')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const box = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus(), t('search_students'))
  const { data, error, refetch } = useCall(
    advisingCalls.mine,
    { query: { search, page, perPage: PER_PAGE, waiting: String(waiting) as never } },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  )
  const rows = data?.data
  const count = data?.meta.count ?? 0
  const set = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(query)
    for (const [key, value] of Object.entries(change)) {
      if (value === null) next.delete(key)
      else next.set(key, value)
    }
    setQuery(next, { replace: true })
  }
  const acceptAll = async (id: number) => {
    try {
      const { done, failed } = await send(changeCalls.acceptAll, { body: { student_id: id } })
      if (done.length) notify.done(t('accepted_done', { count: done.length }))
      if (failed[0]) notify.error(failed[0].errors[0]?.[paperLanguageOf()] ?? '')
    } catch (problem) {
      notify.error(problem)
    }
    void refresh(client, '/registrations')
  }
  return (
    <Page
      title={t('my_advising')}
      subtitle={data ? t('students_count', { count }) : '\u00A0'}
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() =>
            void withOverlay(download(advisingCalls.exportMine, { body: { lang: paperLanguageOf() } })).catch(
              notify.error,
            )
          }
        >
          {t('export')}
        </Button>
      }
    >
      <div className={css.tools}>
        <SegmentedControl
          size="xs"
          value={waiting ? 'waiting' : 'all'}
          onChange={(value) => set({ waiting: value === 'all' ? 'false' : null, page: null })}
          data={[
            { value: 'waiting', label: t('waiting_students') },
            { value: 'all', label: t('all_students') },
          ]}
        />
        <TextInput
          ref={box}
          size="xs"
          className={css.search}
          leftSection={<IconSearch size={14} aria-hidden />}
          placeholder={t('search_students')}
          aria-label={t('search_students')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            set({ page: null, search: event.currentTarget.value.trim() || null })
          }}
        />
      </div>
      {error && !rows ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !rows ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <Empty
          title={t(search ? 'nothing_found' : waiting ? 'nobody_waits' : 'no_students')}
          text={search ? undefined : t(waiting ? 'nobody_waits_text' : 'no_students_text')}
          action={
            waiting && !search ? (
              <Button variant="default" onClick={() => set({ waiting: 'false' })}>
                {t('all_students')}
              </Button>
            ) : undefined
          }
        />
      ) : (
        <>
          <table className={css.advised}>
            <thead>
              <tr>
                <th scope="col">{t('student')}</th>
                <th scope="col" className={css.number}>
                  {t('gpa')}
                </th>
                <th scope="col" className={css.number}>
                  {t('hours_taken')}
                </th>
                <th scope="col" className={css.number}>
                  {t('warnings')}
                </th>
                <th scope="col" className={css.number}>
                  {t('holds')}
                </th>
                <th scope="col">{t('requests')}</th>
                <th scope="col">
                  <span className="sr">{t('accept_all')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <Link className={css.person} to={to('/advising/registration/:id', { id: row.id })}>
                      <Name row={row} />
                      <small>
                        <Code>{row.code}</Code> · <Name row={row.program} /> · {t('level_of', { level: row.level })}
                      </small>
                    </Link>
                  </td>
                  <Figure label={t('gpa')} value={row.gpa} />
                  <Figure label={t('hours_taken')} value={formatNumber(row.hours)} />
                  <Figure label={t('warnings')} value={row.warnings > 0 ? formatNumber(row.warnings) : null} warn />
                  <Figure label={t('holds')} value={row.holds > 0 ? formatNumber(row.holds) : null} warn />
                  <td>
                    {row.waiting > 0 && <Status tone="waiting" label={t('requests_waiting', { count: row.waiting })} />}
                  </td>
                  <td className={css.answer}>
                    {row.waiting > 0 && (
                      <Button
                        size="xs"
                        variant="default"
                        leftSection={<IconCheck size={14} aria-hidden />}
                        onClick={() => void acceptAll(row.id)}
                      >
                        {t('accept_all')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {count > PER_PAGE && (
            <div className={css.pages}>
              <Button variant="default" size="xs" disabled={page === 1} onClick={() => set({ page: String(page - 1) })}>
                {t('previous')}
              </Button>
              <Code>
                {formatNumber(page)} / {formatNumber(Math.ceil(count / PER_PAGE))}
              </Code>
              <Button
                variant="default"
                size="xs"
                disabled={page * PER_PAGE >= count}
                onClick={() => set({ page: String(page + 1) })}
              >
                {t('next')}
              </Button>
            </div>
          )}
        </>
      )}
    </Page>
  )
}

/** A figure in its column; on a phone, where there are no heads, with its name, and only when there is one. */
const Figure = ({ label, value, warn }: { label: string; value: string | null; warn?: boolean }) => (
  <td className={css.number} data-label={label} data-told={value !== null || undefined}>
    {value === null ? <span className={css.dim}>–</span> : <Code className={warn ? css.warn : undefined}>{value}</Code>}
  </td>
)
