import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../i18n/catalogue.ts'
import css from './cookie-banner.module.css'

/** The documents' key. */
const KEY = 'use_cookie'
const accepted = (): boolean => new RegExp(`(?:^|;\\s*)${KEY}=`).test(document.cookie)

/** Stays until it is accepted; the choice is a cookie of its own, for a year. */
export function CookieBanner() {
  const t = useT('kit')
  const [open, setOpen] = useState(() => !accepted())
  if (!open) return null
  return (
    <section className={`${css.banner} no-print`} aria-label={t('cookies')}>
      <p>{t('cookie_text')}</p>
      <Button
        onClick={() => {
          document.cookie = `${KEY}=true; path=/; max-age=31536000; samesite=lax`
          setOpen(false)
        }}
      >
        {t('cookie_accept')}
      </Button>
    </section>
  )
}
