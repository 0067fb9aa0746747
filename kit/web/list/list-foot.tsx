import { NativeSelect, Pagination } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { formatNumber, useT } from '../i18n/index.ts'
import { PAGE_SIZES } from './address.ts'
import type { ListState } from './address.ts'
import css from './list.module.css'

const CONTROLS = {
  next: 'next_page',
  previous: 'previous_page',
  first: 'first_page',
  last: 'last_page',
} as const

/** Beneath a list: which rows of how many, in what order where no head shows it, the pages, how many a page holds. */
export function ListFoot({
  count,
  asked,
  sortedBy,
  onPage,
  onPageSize,
}: {
  count: number
  /** What the rows above were asked with. */
  asked: ListState
  sortedBy: string | null
  onPage: (page: number) => void
  onPageSize: (rows: number) => void
}) {
  const t = useT('kit-screens')
  if (!count) return <div className={css.foot} />
  const pages = Math.max(1, Math.ceil(count / asked.perPage))
  return (
    <div className={css.foot}>
      <span className={css.footPart} aria-live="polite">
        {t('rows_shown', {
          from: Math.min(count, (asked.page - 1) * asked.perPage + 1),
          to: Math.min(count, asked.page * asked.perPage),
          count,
        })}
        {sortedBy && (
          <span className={css.sortedBy}>
            {t('sorted_by', { name: sortedBy })}
            {asked.order_direction === 'desc' ? (
              <IconArrowDown size={13} aria-label={t('descending')} />
            ) : (
              <IconArrowUp size={13} aria-label={t('ascending')} />
            )}
          </span>
        )}
      </span>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={Math.min(asked.page, pages)}
          onChange={onPage}
          getItemProps={(page) => ({ 'aria-label': t('page_number', { page }), children: formatNumber(page) })}
          getControlProps={(control) => ({ 'aria-label': t(CONTROLS[control]) })}
        />
      )}
      <label className={css.footPart}>
        {t('page_size')}
        {/* That of the browser: a list that is only looked at fetches no panel for it. */}
        <NativeSelect
          size="xs"
          w={76}
          data={PAGE_SIZES.map((n) => ({ value: String(n), label: formatNumber(n) }))}
          value={String(asked.perPage)}
          onChange={(event) => onPageSize(Number(event.currentTarget.value))}
        />
      </label>
    </div>
  )
}
