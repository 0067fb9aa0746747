import { useT } from '../i18n/catalogue.ts'
import css from './form.module.css'

/** The label of a field that may stay empty, as `Field` writes it: for forms that place their inputs themselves. */
export function Optional({ label }: { readonly label: string }) {
  const t = useT('kit-screens')
  return (
    <>
      {label} <span className={css.optional}>{t('optional')}</span>
    </>
  )
}
