import { Button, Modal } from '@mantine/core'
import { IconDownload, IconPencil, IconPlus, IconQrcode, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { act, Empty, Failed, notify, Status, withOverlay } from '#kit/web/feedback/index.ts'
import { MoreRows } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useWaiting } from '#kit/web/offline/waiting.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import {
  LOGBOOK_ROLE_WORDS,
  logbookCalls as calls,
  type Logbook,
  type LogbookEntryShown,
  type SentEntry,
} from './entry.contract.ts'
import { EntryDialog, useSendEntry } from './form.web.tsx'
import { Entries, LogbookProgress, LogbookWanted } from './parts.web.tsx'
import { LOGBOOK_WAITING } from './waiting.web.ts'
import css from '../logbook.module.css'

const asSent = ({ uuid, revision, rotation_id, type_id, role, done_at, note }: LogbookEntryShown): SentEntry => ({
  uuid,
  revision,
  rotation_id,
  type_id,
  role,
  done_at,
  note,
  phone_at: new Date().toISOString(),
})

/** Entries that a phone shows at first. */
const FIRST = 15

/** The own logbook, on a phone: written with or without a line, confirmed on the spot. */
export default function OwnLogbook() {
  const t = useT('logbook')
  const { data, error, refetch } = useCall(calls.mine)
  const [editing, setEditing] = useState<SentEntry | 'new' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const of = data?.data
  const open = of && !of.intern.completed && of.rotations.length > 0 && of.courses.length > 0
  return (
    <Page
      title={t('my_logbook')}
      subtitle={of ? nameOf(of.intern.year) : '\u00A0'}
      action={
        open && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            {t('add_entry')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={420} />
      ) : !of ? (
        <Empty title={t('no_year')} text={t('no_year_text')} />
      ) : (
        <Stack>
          <WaitingEntries of={of} edit={setEditing} />
          {of.courses.length > 0 && <LogbookProgress courses={of.courses} />}
          <OwnEntries of={of} edit={setEditing} show={setShown} />
          {of.courses.length > 0 && (
            <Card title={t('wanted')} aside={<Files id={of.intern.id} />}>
              <LogbookWanted courses={of.courses} />
            </Card>
          )}
        </Stack>
      )}
      {of && editing && (
        <EntryDialog of={of} entry={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {shown && (
        <Modal opened onClose={() => setShown(null)} title={t('show_code')}>
          <CodeOf uuid={shown} />
        </Modal>
      )}
    </Page>
  )
}

/** The logbook as a file. */
export function Files({ id }: { id: number }) {
  const t = useT('logbook')
  const lang = useLanguage()
  const get = (type: 'pdf' | 'xlsx') =>
    void withOverlay(
      download(calls.file, { params: { id, type }, query: { lang: lang === 'ar' ? 'ar' : 'en' } }),
    ).catch((problem: unknown) => notify.error(problem))
  return (
    <span className={css.duties}>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => get('pdf')}
      >
        {t('as_pdf')}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => get('xlsx')}
      >
        {t('as_sheet')}
      </Button>
    </span>
  )
}

/** What waits on this phone for a line, and what was refused and is to be corrected: nothing that was typed is lost. */
function WaitingEntries({ of, edit }: { of: Logbook; edit: (entry: SentEntry) => void }) {
  const t = useT('logbook')
  const say = useLabel()
  const waiting = useWaiting(LOGBOOK_WAITING)
  if (!waiting.length) return null
  const types = new Map(of.courses.flatMap(({ types: own }) => own.map((type) => [type.id, type])))
  return (
    <Card title={t('on_phone')} text={t('on_phone_text', { count: formatNumber(waiting.length) })}>
      <ul className={css.entries}>
        {waiting.map((one) => {
          const entry = one.data as SentEntry
          const role = LOGBOOK_ROLE_WORDS.find(({ value }) => value === entry.role)
          return (
            <li key={one.id}>
              <div className={css.line}>
                <strong>
                  <bdi>{nameOf(types.get(entry.type_id))}</bdi>
                </strong>
                <Status is={one.problem ? 'wrong' : 'waits'} label={t(one.problem ? 'to_correct' : 'waits_for_line')} />
              </div>
              <small>
                {role && say(role.label)} · {formatInstant(entry.done_at)}
                {entry.removed && ` · ${t('taken_away')}`}
              </small>
              {entry.note && <p dir="auto">{entry.note}</p>}
              {one.problem && <p className={css.why}>{one.problem.why}</p>}
              {!entry.removed && (
                <div className={css.buttons}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconPencil size={14} aria-hidden />}
                    onClick={() => edit(entry)}
                  >
                    {t('correct')}
                  </Button>
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function OwnEntries({
  of,
  edit,
  show,
}: {
  of: Logbook
  edit: (entry: SentEntry) => void
  show: (uuid: string) => void
}) {
  const t = useT('logbook')
  const sendEntry = useSendEntry()
  const waiting = new Set(useWaiting(LOGBOOK_WAITING).map(({ data }) => (data as SentEntry).uuid))
  // What was changed without a line stands above, as it will be.
  const all = of.entries.filter(({ uuid }) => !waiting.has(uuid))
  const [most, setMost] = useState(FIRST)
  const entries = all.slice(0, most)
  const remove = (entry: LogbookEntryShown) =>
    act({
      ask: { title: t('remove_question'), consequence: t('remove_text'), action: t('remove'), danger: true },
      go: () => sendEntry({ ...asSent(entry), revision: entry.revision + 1, removed: true }),
      done: () => null,
    })
  return (
    <Card title={t('entries')}>
      {entries.length === 0 ? (
        <Empty title={t('no_entries')} text={t(of.rotations.length ? 'no_entries_text' : 'no_rotations_text')} />
      ) : (
        <Entries
          of={{ ...of, entries }}
          buttons={(entry) =>
            entry.status !== 'confirmed' &&
            !of.intern.completed && (
              <>
                {entry.status === 'entered' && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconQrcode size={14} aria-hidden />}
                    onClick={() => show(entry.uuid)}
                  >
                    {t('show_code')}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPencil size={14} aria-hidden />}
                  onClick={() => edit(asSent(entry))}
                >
                  {t('correct')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={14} aria-hidden />}
                  onClick={() => void remove(entry)}
                >
                  {t('remove')}
                </Button>
              </>
            )
          }
        />
      )}
      <MoreRows shown={entries.length} total={all.length} onMore={() => setMost(most * 3)} />
    </Card>
  )
}

/** The code that the supervisor's phone opens, until it is confirmed. */
function CodeOf({ uuid }: { uuid: string }) {
  const t = useT('logbook')
  const { data, error, refetch } = useCall(
    calls.code,
    { params: { uuid } },
    { refetchInterval: (query) => (query.state.data?.data.status === 'entered' ? 3000 : false), staleTime: 0 },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const { qr, status } = data.data
  if (status !== 'entered')
    return (
      <Status
        is={status === 'confirmed' ? 'ready' : 'wrong'}
        label={t(status === 'confirmed' ? 'is_confirmed' : 'is_rejected')}
      />
    )
  return (
    <div className={css.code}>
      <svg viewBox={`0 0 ${qr.size} ${qr.size}`} shapeRendering="crispEdges" role="img" aria-label={t('code_label')}>
        <path fill="#fff" d={`M0 0h${qr.size}v${qr.size}H0z`} />
        <path d={qr.path} />
      </svg>
      <p className={css.note}>{t('code_text')}</p>
    </div>
  )
}
