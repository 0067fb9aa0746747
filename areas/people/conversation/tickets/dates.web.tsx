import { DateInput } from '#kit/web/fields/date-input.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import css from '../conversation.module.css'

/** From which day to which something is looked at. */
export function DatesBetween({
  value,
  onChange,
}: {
  value: { from?: string; to?: string }
  onChange: (value: { from?: string; to?: string }) => void
}) {
  const t = useT('conversation')
  const set = (name: 'from' | 'to') => (day: unknown) => {
    const { [name]: _before, ...rest } = value
    if (day === null || /^\d{4}-\d\d-\d\d$/.test(String(day)))
      onChange(day === null ? rest : { ...rest, [name]: day as string })
  }
  return (
    <div className={css.dates}>
      <DateInput name="from" label={t('from_day')} defaultValue={value.from ?? null} onChange={set('from')} />
      <DateInput name="to" label={t('to_day')} defaultValue={value.to ?? null} onChange={set('to')} />
    </div>
  )
}
