import { Button } from '@mantine/core'
import { IconEye, IconLock } from '@tabler/icons-react'
import type { Me } from '../auth/me.ts'
import { useT } from '../i18n/catalogue.ts'
import { formatDate, nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import css from './shell.module.css'

/** What must not be overlooked: read-only mode, and working as somebody else. */
export function Banners({ me, leave }: { me: Me; leave: () => void }) {
  const t = useT('kit')
  const l = useLanguage()
  const { impersonation, read_only } = me.live
  return (
    <>
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
      {read_only && (
        <output className={css.banner}>
          <IconLock size={17} aria-hidden />
          <span>{t('read_only_banner')}</span>
        </output>
      )}
    </>
  )
}
