import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link, useRouteError } from 'react-router'
import { useMaybeMe } from '../../auth/me.ts'
import { useT } from '../../i18n/catalogue.ts'
import { BrokenPage } from './broken.tsx'
import css from './inline.module.css'

export { Waiting } from './broken.tsx'

/** In place of a screen that broke while it was shown; the menu stays. */
export function Broken() {
  const t = useT('kit')
  const error = useRouteError()
  const me = useMaybeMe()
  console.error(error)
  return (
    <BrokenPage>
      <Button component={Link} to={me ? '/' : '/login'} reloadDocument>
        {me ? t('go_home') : t('sign_in')}
      </Button>
    </BrokenPage>
  )
}

/** In place of a screen that could not be fetched. */
export function ScreenFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT('kit')
  console.error(error)
  return (
    <div className={css.inline} role="alert">
      <IconPlugConnectedX size={40} stroke={1.2} aria-hidden className={css.icon} />
      <h1>{t('screen_failed_title')}</h1>
      <p>{t('screen_failed_text')}</p>
      <div className={css.actions}>
        <Button onClick={retry}>{t('try_again')}</Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      </div>
    </div>
  )
}
