import { Select } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { calls } from '#kit/web/auth/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { getCurrentTerms } from './term.contract.ts'

/**
 * Chooses a term.
 * @param props.label shown above it, beside other inputs
 * @param props.current null stands for the current term, which leads the list
 * @param props.all 0 stands for all terms, which end the list
 */
export function TermPicker({
  value,
  onChange,
  label,
  current,
  all,
  size = 'xs',
}: { value: number | null; label?: string; size?: 'xs' | 'sm'; all?: boolean } & (
  | { current: true; onChange: (id: number | null) => void }
  | { current?: false; onChange: (id: number) => void }
)) {
  const t = useT('terms')
  const lang = useLanguage()
  const { data } = useCall(calls.lookup, { body: { name: 'term', limit: 100 } }, { staleTime: 300_000 })
  const terms = useCall(getCurrentTerms, {}, { staleTime: 300_000, enabled: current === true }).data?.data
  const now = terms?.current_term
  const others = (data?.data ?? []).filter((term) => term.id !== now?.id)
  return (
    <Select
      style={{ inlineSize: '16rem', maxInlineSize: '100%' }}
      size={size}
      {...(label ? { label } : { 'aria-label': t('term') })}
      data={[
        ...(current
          ? [{ value: '', label: now ? t('current_term_named', { name: nameOf(now, lang) }) : t('current_term') }]
          : []),
        ...others.map((term) => ({ value: String(term.id), label: nameOf(term, lang) })),
        ...(all ? [{ value: '0', label: t('all_terms') }] : []),
      ]}
      value={value === null || value === now?.id ? (current ? '' : null) : String(value)}
      onChange={(next) => {
        if (next) onChange(Number(next))
        else if (current) onChange(null)
      }}
      allowDeselect={false}
      searchable={others.length > 8}
    />
  )
}
