import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconCloudUp, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { alert } from '../feedback/dialogs.tsx'
import { useT } from '../i18n/catalogue.ts'
import { formatInstant } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { part } from '../later.ts'
import { hasUnsaved } from '../router/unsaved.ts'
import css from '../shell/shell.module.css'
import { keptStore } from './kept.ts'
import { lineStore, onLineBack } from './line.ts'
import { useWaiting } from './waiting.ts'
import { newVersionStore } from './version.ts'
import { takeNewVersion } from './worker.ts'

/** When the oldest answer on the screen was given, now or earlier; null: there is none. */
function useOldest(): number | null {
  const client = useQueryClient()
  const kept = keptStore.use()
  const cache = client.getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () =>
      cache.findAll({ type: 'active' }).reduce<number | null>((oldest, { queryHash, queryKey, state }) => {
        // Answers of the API have their path first; texts and the like are not of any time.
        if (!String(queryKey[0]).startsWith('/') || state.data === undefined) return oldest
        const at = kept.get(queryHash) ?? state.dataUpdatedAt
        return Math.min(at, oldest ?? at)
      }, null),
  )
}

const WaitingDialog = part(async () => (await import('./waiting-dialog.tsx')).default)

/** What was made without a line: how much waits, or could not be saved; sent as soon as there is one. */
function WaitingBanner() {
  const t = useT('kit')
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const all = useWaiting()
  const problems = all.filter((one) => one.problem).length
  const waits = all.length - problems
  useEffect(() => {
    const send = () => {
      const sendNow = async () => (await import('./sending.ts')).sendWaiting(client)
      sendNow().catch(() => undefined)
    }
    if (waits && lineStore.get()) send()
    return onLineBack(send)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- sent when one arrives, and when the line does
  }, [client, waits])
  const show = (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
      {t('waiting_show')}
    </Button>
  )
  return (
    <>
      {waits > 0 && (
        <output className={css.banner} data-kind="waiting">
          <IconCloudUp size={17} aria-hidden />
          <span>{t('waiting_count', { count: waits })}</span>
          {problems === 0 && show}
        </output>
      )}
      {problems > 0 && (
        <output className={css.banner} data-kind="not-saved">
          <IconAlertTriangle size={17} aria-hidden />
          <span>{t('waiting_problems', { count: problems })}</span>
          {show}
        </output>
      )}
      {open && (
        <Suspense fallback={null}>
          <WaitingDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** What the reader must know of the line: that there is none, how old the screen is, and that a new version waits. */
export function LineBanner() {
  const t = useT('kit')
  const l = useLanguage()
  const line = lineStore.use()
  const oldest = useOldest()
  const version = newVersionStore.use()
  const take = () => {
    // Nothing typed is lost for a new version: whoever has saved presses again.
    if (hasUnsaved()) void alert({ title: t('new_version'), text: t('new_version_unsaved') })
    else takeNewVersion()
  }
  return (
    <>
      {!line && (
        <output className={css.banner} data-kind="offline">
          <IconCloudOff size={17} aria-hidden />
          <span>
            {oldest === null
              ? t('offline_now')
              : t('offline_as_of', { when: formatInstant(new Date(oldest).toISOString(), l) })}
          </span>
        </output>
      )}
      <WaitingBanner />
      {version && (
        <output className={css.banner} data-kind="version">
          <IconRefresh size={17} aria-hidden />
          <span>{t('new_version')}</span>
          <Button size="compact-sm" variant="default" onClick={take}>
            {t('new_version_take')}
          </Button>
        </output>
      )}
    </>
  )
}
