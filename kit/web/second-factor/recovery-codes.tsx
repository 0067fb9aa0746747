import { Button } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../feedback/notify.tsx'
import { useT } from '../i18n/catalogue.ts'
import css from './second-factor.module.css'

/** Recovery codes, which are shown now and never again. */
export function RecoveryCodes({ codes, kept }: { codes: readonly string[]; kept: () => Promise<void> | void }) {
  const t = useT('sign-in')
  const [busy, setBusy] = useState(false)
  const text = codes.join('\n')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify.done(t('recovery_copied')),
      (problem: unknown) => notify.error(problem),
    )
  return (
    <section className={css.fields} aria-label={t('recovery_title')}>
      <h2 className={css.title}>{t('recovery_title')}</h2>
      <p className={css.text}>{t('recovery_keep')}</p>
      <ol className={css.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={css.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          {t('recovery_copy')}
        </Button>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
        >
          {t('recovery_save')}
        </Button>
      </div>
      <Button
        size="md"
        loading={busy}
        onClick={() => {
          setBusy(true)
          void Promise.resolve(kept()).finally(() => setBusy(false))
        }}
      >
        {t('recovery_kept')}
      </Button>
    </section>
  )
}
