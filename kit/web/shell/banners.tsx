import { Button } from '@mantine/core'
import { IconBarrierBlock, IconEye, IconLock } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { formatDate, formatInstant, nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { useUniversity } from '../theme/university.ts'
import { part } from '../later.ts'
import { lineStore } from '../offline/line.ts'
import { newVersionStore } from '../offline/version.ts'
import { useWaiting } from '../offline/waiting.ts'
import css from './shell.module.css'

/** Fetched ahead, and kept by the worker from the beginning: without a line it could not be fetched. */
const LineBanner = part(async () => (await import('../offline/banner.tsx')).LineBanner, { ahead: true })

/** A week before it begins, maintenance is told on every screen. */
const ANNOUNCED_MS = 7 * 86_400_000

/** What must not be overlooked: read-only mode, and working as somebody else. */
export function Banners({ me, leave }: { me: Me; leave: () => void }) {
  const t = useT('kit')
  const l = useLanguage()
  const { impersonation, read_only } = me.live
  const line = lineStore.use()
  const version = newVersionStore.use()
  const waiting = useWaiting().length
  // Once there was something to tell it stays: its dialog does not close by itself.
  const [told, setTold] = useState(false)
  if (!told && (!line || version !== null || waiting > 0)) setTold(true)
  const { maintenance, maintenance_from: from, maintenance_until: until } = useUniversity()
  const soon = from !== '' && Date.parse(from) > Date.now() && Date.parse(from) - Date.now() < ANNOUNCED_MS
  return (
    <>
      {told && (
        <Suspense fallback={null}>
          <LineBanner />
        </Suspense>
      )}
      {impersonation && (
        <output className={css.banner} data-kind="impersonation">
          <IconEye size={17} aria-hidden />
          <span>
            {impersonation.until === null
              ? t('impersonation_banner', { name: nameOf(me.user, l) })
              : t('acting_banner', {
                  name: nameOf(me.user, l),
                  until: formatDate(impersonation.until, 'long', l),
                })}{' '}
            {impersonation.read_only && t('impersonation_read_only')}
          </span>
          <Button size="compact-sm" variant="white" color="dark" onClick={leave}>
            {t('impersonation_end')}
          </Button>
        </output>
      )}
      {(maintenance || soon) && (
        <output className={css.banner}>
          <IconBarrierBlock size={17} aria-hidden />
          <span>
            {maintenance
              ? t('maintenance_banner')
              : until === ''
                ? t('maintenance_soon', { from: formatInstant(from, l) })
                : t('maintenance_soon_until', { from: formatInstant(from, l), until: formatInstant(until, l) })}
          </span>
        </output>
      )}
      {read_only && (
        <output className={css.banner}>
          <IconLock size={17} aria-hidden />
          <span>{t('read_only_banner')}</span>
        </output>
      )}
    </>
  )
}
