import { useRef } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { SearchBox } from '#kit/web/list/search-box.tsx'
import { Link, useSearchParams } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { LISTED_REPORTS, REPORT_GROUPS, foundReports, type ReportGroup } from './index.rules.ts'
import css from './figures.module.css'

/** All reports that the reader may open, found by words: of a report, its figures, and by what they are told apart. */
export default function Reports() {
  const t = useT('reports')
  const say = useLabel()
  const { may } = useMe()
  const [address, setAddress] = useSearchParams()
  const box = useRef<HTMLInputElement>(null)
  const typed = address.get('search') ?? ''
  const found = foundReports(
    LISTED_REPORTS.filter((report) => may(report.permission)),
    typed,
    say,
  )
  const groups = [...new Set(found.map((report) => report.group))]
  return (
    <Page title={t('reports')} subtitle={t('reports_text')}>
      <Stack>
        <div className={css.search}>
          <SearchBox
            box={box}
            title={t('reports')}
            value={typed}
            onSearch={(text) => setAddress(text ? { search: text } : {}, { replace: true })}
          />
        </div>
        {found.length === 0 ? (
          <Empty title={t('no_report')} />
        ) : (
          <div className={css.found} aria-live="polite">
            {groups.map((group: ReportGroup) => (
              <section key={group} aria-label={say(REPORT_GROUPS[group])}>
                <h2 className={css.groupTitle}>{say(REPORT_GROUPS[group])}</h2>
                <ul className={css.links}>
                  {found
                    .filter((report) => report.group === group)
                    .map((report) => (
                      <li key={report.to}>
                        <Link className={css.link} to={report.to}>
                          <strong>{say(report.label)}</strong>
                          <span>{say(report.text)}</span>
                        </Link>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </Stack>
    </Page>
  )
}
