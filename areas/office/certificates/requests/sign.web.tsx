import { Button, Checkbox, Kbd } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { fetchFile } from '#kit/web/api/client.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/act.ts'
import { Code, Empty, Failed, Name, notify, Problems, useShortcut } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { OverdueMark } from '../turns/turn.web.tsx'
import { certificate, certificateCalls } from './certificate.contract.ts'
import { OwnSignature } from '../positions/signature.web.tsx'
import css from '../certificates.module.css'

const calls = resourceCalls(certificate)
type Waiting = Row<typeof certificate>
const MOST = 200

/** The papers that wait for the reader's signature: looked through one by one by keyboard, signed together with one proof of presence. */
export default function SignCertificates() {
  const t = useT('certificates')
  const { data, error, refetch } = useCall(
    calls.list,
    {
      body: {
        page: 1,
        perPage: MOST,
        order_by: 'due_on',
        order_direction: 'asc',
        filters: { waiting: true, status: ['Reviewed', 'dean-signed'] },
      } as never,
    },
    { placeholderData: keepPreviousData },
  )
  const rows = data?.data as unknown as readonly Waiting[] | undefined
  return (
    <Page title={t('sign_title')} subtitle={rows?.length ? t('sign_wait', { count: data!.meta.count }) : '\u00A0'}>
      {error && !rows ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !rows ? (
        <Bone height={420} />
      ) : rows.length === 0 ? (
        <Empty
          icon={<IconSignature size={28} stroke={1.5} aria-hidden />}
          title={t('sign_none')}
          text={t('sign_none_text')}
        />
      ) : (
        <Desk rows={rows} />
      )}
      <OwnSignature />
    </Page>
  )
}

function Desk({ rows }: { rows: readonly Waiting[] }) {
  const t = useT('certificates')
  const { send } = useChange('/certificates', '/users/work')
  const [open, setOpen] = useState(rows[0]!.id)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === open),
  )
  const row = rows[at]!
  const go = (by: number) => setOpen(rows[Math.min(rows.length - 1, Math.max(0, at + by))]!.id)
  const toggle = (id: number) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const ids = rows.map(({ id }) => id).filter((id) => chosen.has(id))
  const sign = async () => {
    const sent = await act({
      ask: {
        title: t('sign_question', { count: ids.length }),
        consequence: t('sign_question_text'),
        action: t('sign'),
      },
      go: () => send(certificateCalls.signMany, { body: { ids } }),
      done: ({ done }) => t('signed_done', { count: done.length }),
    })
    if (!sent) return
    const { failed } = sent
    setChosen(new Set(failed.map(({ id }) => id)))
    for (const { errors } of failed.slice(0, 3))
      notify.error(new Error(errors.map((one) => problemText(one as never)).join(' ')))
  }
  useShortcut('j', () => go(1), t('next_paper'))
  useShortcut('k', () => go(-1), t('previous_paper'))
  useShortcut('x', () => (toggle(row.id), go(1)), t('choose_paper'))
  return (
    <div className={css.desk}>
      <div>
        <ul className={css.waiting} aria-label={t('sign_title')}>
          {rows.map((one) => (
            <li key={one.id}>
              <Checkbox
                checked={chosen.has(one.id)}
                onChange={() => toggle(one.id)}
                aria-label={`${t('choose_paper')}: ${nameOf(one.student)}`}
              />
              <button type="button" aria-current={one.id === row.id || undefined} onClick={() => setOpen(one.id)}>
                <Name row={one.student} />
                <small>
                  <Code>{one.student?.code}</Code> · <Name row={one.type} /> · {formatDate(one.promised_on)}
                </small>
                <OverdueMark due_on={one.due_on} />
              </button>
            </li>
          ))}
        </ul>
        <p className={css.line}>
          <Button
            leftSection={<IconSignature size={16} aria-hidden />}
            disabled={ids.length === 0}
            onClick={() => void sign()}
          >
            {t('sign_chosen', { count: ids.length })}
          </Button>
          <small>
            <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> <Kbd size="xs">X</Kbd>
          </small>
        </p>
      </div>
      <Sheet key={row.id} row={row} />
    </div>
  )
}

/** The paper as it would be issued. */
function Sheet({ row }: { row: Waiting }) {
  const t = useT('certificates')
  const lang = row.lang === 'en' ? ('en' as const) : ('ar' as const)
  const [url, setUrl] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const { id } = row
  useEffect(() => {
    let over = false
    let shown: string | null = null
    const show = async () => {
      try {
        const { content } = await fetchFile(certificateCalls.draft, { params: { id, lang } })
        if (!over) setUrl((shown = URL.createObjectURL(content)))
      } catch (error) {
        if (!over) setProblem(error)
      }
    }
    void show()
    return () => {
      over = true
      if (shown !== null) URL.revokeObjectURL(shown)
    }
  }, [id, lang])
  if (problem !== null) return <Problems error={problem} />
  if (!url) return <Bone height={520} />
  // oxlint-disable-next-line react/iframe-missing-sandbox -- no browser shows a PDF in a sandbox; what stands here is the program's own
  return <iframe className={css.sheet} src={url} title={t('draft')} />
}
