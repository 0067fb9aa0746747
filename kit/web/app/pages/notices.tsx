import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noticeCalls } from '#kit/contract/notices.ts'
import type { NoticePreference } from '#kit/contract/notices.ts'
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

/** What the reader is told, and by which way: each change is kept at once. */
export default function Notices() {
  const { send } = useChange()
  const t = useT('notices')
  const l = useLanguage()
  const say = useLabel()
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
          <Card title={t('notices_ways')}>
            <ul className={css.list}>
              {rows.map((row) => {
                const title = say([row.title.name, row.title.name_local])
                const change = (part: Partial<Change>) =>
                  void save({ preferences: [{ key: row.key, app: row.app, mail: row.mail, ...part }] })
                return (
                  <li key={row.key}>
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
                      data={(['now', 'digest', 'off'] as const).map((value) => ({
                        value,
                        label: t(`notice_mail_${value}`),
                      }))}
                    />
                    {(row.fixed.app || row.fixed.mail) && (
                      <small>{t(row.fixed.mail ? 'notice_must' : 'notice_must_app')}</small>
                    )}
                  </li>
                )
              })}
            </ul>
          </Card>
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
