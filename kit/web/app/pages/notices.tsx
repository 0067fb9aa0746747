import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHOSEN_WAYS, NOTICE_GROUPS, noticeCalls } from '#kit/contract/notices.ts'
import type { NoticeGroup, NoticePreference } from '#kit/contract/notices.ts'
import { useCall, useChange } from '../../api/hooks.ts'
import { notify } from '../../feedback/notify.tsx'
import { Failed } from '../../feedback/problems.tsx'
import { loadTexts, useLabel, useT } from '../../i18n/catalogue.ts'
import { useLanguage } from '../../i18n/language.ts'
import { screenAt, titleOf } from '../../router/screens.ts'
import { Bone, Card, Stack } from '../../shell/card.tsx'
import { Page } from '../../shell/page.tsx'
import css from './notices.module.css'

type Change = Pick<NoticePreference, 'key' | 'app' | 'mail'>
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

type Save = (body: { preferences: Change[] }) => Promise<void>

/** One kind of notice, by its ways. */
function Kind({ row, save }: { row: NoticePreference; save: Save }) {
  const t = useT('notices')
  const say = useLabel()
  const title = say([row.title.name, row.title.name_local])
  const change = (part: Partial<Change>) =>
    void save({ preferences: [{ key: row.key, app: row.app, mail: row.mail, ...part }] })
  return (
    <li>
      <span className={css.title}>{title}</span>
      <Checkbox
        label={t('notice_app')}
        aria-label={`${title}: ${t('notice_app')}`}
        checked={row.app}
        disabled={row.fixed.app}
        onChange={(event) => change({ app: event.currentTarget.checked })}
      />
      <NativeSelect
        aria-label={`${title}: ${t('notice_mail')}`}
        value={row.mail}
        disabled={row.fixed.mail}
        onChange={(event) => change({ mail: event.currentTarget.value as Change['mail'] })}
        data={CHOSEN_WAYS.map((value) => ({ value, label: t(`notice_mail_${value}`) }))}
      />
      {(row.fixed.app || row.fixed.mail) && <small>{t(row.fixed.mail ? 'notice_must' : 'notice_must_app')}</small>}
    </li>
  )
}

/** Kinds of notice about one thing: the ways of all of them with one choice, and of each where somebody wants that. */
function Group({ group, kinds, save }: { group: NoticeGroup; kinds: readonly NoticePreference[]; save: Save }) {
  const t = useT('notices')
  const name = t(`group_${group}`)
  const apps = kinds.filter((row) => !row.fixed.app)
  const mails = kinds.filter((row) => !row.fixed.mail)
  const mail = new Set(mails.map((row) => row.mail))
  const change = (rows: readonly NoticePreference[], part: Partial<Change>) =>
    void save({ preferences: rows.map(({ key, app, mail: way }) => ({ key, app, mail: way, ...part })) })
  const on = apps.filter((row) => row.app).length
  return (
    <Card title={name}>
      <p className={css.about}>{t(`group_${group}_text`)}</p>
      <div className={css.all}>
        {apps.length > 0 && (
          <Checkbox
            label={t('notice_app')}
            aria-label={`${name}: ${t('notice_app')}`}
            checked={on === apps.length}
            indeterminate={on > 0 && on < apps.length}
            onChange={() => change(apps, { app: on < apps.length })}
          />
        )}
        {mails.length > 0 && (
          <NativeSelect
            aria-label={`${name}: ${t('notice_mail')}`}
            value={mail.size === 1 ? [...mail][0] : ''}
            onChange={(event) => change(mails, { mail: event.currentTarget.value as Change['mail'] })}
            data={[
              ...(mail.size === 1 ? [] : [{ value: '', label: t('notice_mail_mixed'), disabled: true }]),
              ...CHOSEN_WAYS.map((value) => ({ value, label: t(`notice_mail_${value}`) })),
            ]}
          />
        )}
        {mails.length < kinds.length && <small>{t('notice_some_must')}</small>}
      </div>
      <details className={css.each}>
        <summary>{t('notices_each', { count: kinds.length })}</summary>
        <ul className={css.list}>
          {kinds.map((row) => (
            <Kind key={row.key} row={row} save={save} />
          ))}
        </ul>
      </details>
    </Card>
  )
}

/** What the reader is told, and by which way: each change is kept at once. */
export default function Notices() {
  const { send } = useChange()
  const t = useT('notices')
  const l = useLanguage()
  const { data, error, refetch } = useCall(noticeCalls.noticePreferences)
  const areas = [...new Set(data?.data.map((one) => one.area))].toSorted()
  // The words that name them are those of their areas.
  const texts = useQuery({
    queryKey: ['texts', l, areas],
    enabled: areas.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => Promise.all(areas.map((area) => loadTexts(area, l))).then(() => true),
  })
  const [pending, setPending] = useState<Readonly<Record<string, Change>>>({})
  const save = async (body: { preferences?: Change[]; digest_hour?: number }) => {
    for (const preference of body.preferences ?? []) setPending((was) => ({ ...was, [preference.key]: preference }))
    try {
      await send(noticeCalls.saveNoticePreferences, { body: { preferences: [], ...body } })
      notify.done(t('notices_saved'))
    } catch (problem) {
      setPending({})
      notify.error(problem)
    }
    await refetch()
  }
  const rows = data?.data.map((one) => ({ ...one, ...pending[one.key] }))
  return (
    <Page title={titleOf(screenAt('/profile/notices')!, l)} subtitle={t('notices_text')} wide={false}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !rows || (areas.length > 0 && !texts.data) ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {NOTICE_GROUPS.map((group) => {
            const kinds = rows.filter((row) => row.group === group)
            return kinds.length > 0 && <Group key={group} group={group} kinds={kinds} save={save} />
          })}
          <Card title={t('digest')}>
            <NativeSelect
              className={css.hour}
              label={t('digest_hour')}
              description={t('digest_hour_text')}
              value={String(data!.digest_hour)}
              onChange={(event) => void save({ digest_hour: Number(event.currentTarget.value) })}
              data={HOURS.map((label, hour) => ({ value: String(hour), label }))}
            />
          </Card>
        </Stack>
      )}
    </Page>
  )
}
