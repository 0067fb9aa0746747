import { Button } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/catalogue.ts'
import css from './inline.module.css'

/** Says that a screen broke while it was shown, with the way to load it anew. @param props.children other ways on */
export function BrokenPage({ children }: { readonly children?: ReactNode }) {
  const t = useT('kit')
  return (
    <div className={css.inline} role="alert">
      <IconBug size={40} stroke={1.2} aria-hidden className={css.icon} />
      <h1>{t('error_title')}</h1>
      <p>{t('error_text')}</p>
      <div className={css.actions}>
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
        {children}
      </div>
    </div>
  )
}

/** While a screen is fetched the first time. */
export function Waiting() {
  return (
    <div className={css.waiting} aria-hidden>
      <span />
      <span />
      <span />
    </div>
  )
}
