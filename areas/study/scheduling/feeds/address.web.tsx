import { Button, Stack, TextInput } from '@mantine/core'
import { IconCalendarDown, IconCalendarPlus, IconCopy, IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog, Problems, act, notify } from '#kit/web/feedback/index.ts'
import { formatDate, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { dayOf } from '#kit/contract/day.ts'
import { timetableCalls } from '../timetables/timetable.contract.ts'
import type { TimetableType } from '../timetables/timetable.contract.ts'
import { feedCalls } from './feed.contract.ts'

/** The own timetable in other calendars: as a file of today, or at a secret address that they ask again and again. */
export function CalendarAddress({ type }: { type: TimetableType }) {
  const t = useT('scheduling')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarDown size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('calendar_file')}
      </Button>
      {open && (
        <Dialog opened title={t('calendar_file')} onClose={() => setOpen(false)}>
          <Address type={type} />
        </Dialog>
      )}
    </>
  )
}

function Address({ type }: { type: TimetableType }) {
  const t = useT('scheduling')
  const lang = useLanguage()
  const { data } = useCall(feedCalls.showFeed)
  const { busy, problem, go, send } = useChange('/calendar-feed')
  const [address, setAddress] = useState<string | null>(null)
  const make = async () => {
    const made = await go(() => send(feedCalls.createFeed))
    if (made) setAddress(made.answer.data.address)
  }
  const renew = () =>
    act({
      ask: { title: t('feed_renew'), consequence: t('feed_renew_text'), action: t('feed_renew'), danger: true },
      go: make,
      done: () => t('feed_renewed'),
    })
  const revoke = () =>
    act({
      ask: { title: t('feed_revoke'), consequence: t('feed_revoke_text'), action: t('feed_revoke'), danger: true },
      go: () => send(feedCalls.revokeFeed),
      done: () => {
        setAddress(null)
        return t('feed_revoked')
      },
    })
  const copy = async () => {
    await navigator.clipboard.writeText(address ?? '')
    notify.done(t('feed_copied'))
  }
  /** What calendars of a device take with one press: the same address under the name that they listen to. */
  const webcal = (of: string): string => of.replace(/^https?:/, 'webcal:')
  const subscribe = async () => {
    const made = await go(() => send(feedCalls.createFeed))
    if (!made) return
    setAddress(made.answer.data.address)
    window.location.assign(webcal(made.answer.data.address))
  }
  const known = data?.data
  return (
    <Stack gap="sm">
      <p style={{ margin: 0 }}>{t('feed_text')}</p>
      {address ? (
        <>
          <Button
            component="a"
            href={webcal(address)}
            size="md"
            leftSection={<IconCalendarPlus size={18} aria-hidden />}
          >
            {t('feed_device')}
          </Button>
          <p style={{ margin: 0 }}>{t('feed_iphone')}</p>
          <p style={{ margin: 0 }}>{t('feed_android')}</p>
          <TextInput
            label={t('feed_address')}
            description={t('feed_once')}
            value={address}
            readOnly
            dir="ltr"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            {t('feed_copy')}
          </Button>
        </>
      ) : known ? (
        <p style={{ margin: 0 }}>{t('feed_since', { date: formatDate(dayOf(known.created_at), 'short', lang) })}</p>
      ) : null}
      {problem ? <Problems error={problem} /> : null}
      {data && !known && !address && (
        <Button
          size="md"
          loading={busy}
          leftSection={<IconCalendarPlus size={18} aria-hidden />}
          onClick={() => void subscribe()}
        >
          {t('feed_device')}
        </Button>
      )}
      {data && !known && !address && (
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => void make()}
        >
          {t('feed_make')}
        </Button>
      )}
      {known && (
        <>
          <Button variant="default" loading={busy} onClick={() => void renew()}>
            {t('feed_renew')}
          </Button>
          <Button variant="default" color="red" onClick={() => void revoke()}>
            {t('feed_revoke')}
          </Button>
        </>
      )}
      <Button
        variant="subtle"
        onClick={() =>
          void download(timetableCalls.ownCalendar, { params: { type } }).catch((refusal: unknown) =>
            notify.error(refusal),
          )
        }
      >
        {t('feed_file')}
      </Button>
    </Stack>
  )
}
