import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useT } from '../i18n/catalogue.ts'
import css from './cookie-banner.module.css'

/** The documents' key. */
const KEY = 'use_cookie'
const accepted = (): boolean => new RegExp(`(?:^|;\\s*)${KEY}=`).test(document.cookie)
const accept = (): void => {
  document.cookie = `${KEY}=true; path=/; max-age=31536000; samesite=lax`
}

/**
 * Tells once, above the page and never over it: whoever goes on to another screen has been told. The choice is a cookie of
 * its own, for a year.
 */
export function CookieBanner() {
  const t = useT('kit')
  const { pathname } = useLocation()
  const [pressed, setPressed] = useState(accepted)
  const [first] = useState(pathname)
  const seen = pressed || pathname !== first
  useEffect(() => {
    if (seen) accept()
  }, [seen])
  if (seen) return null
  return (
    <section className={`${css.banner} no-print`} aria-label={t('cookies')}>
      <p>{t('cookie_text')}</p>
      <Button onClick={() => setPressed(true)}>{t('cookie_accept')}</Button>
    </section>
  )
}
