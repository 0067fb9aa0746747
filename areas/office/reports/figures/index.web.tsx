import { Button, Group } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { SearchBox } from '#kit/web/list/search-box.tsx'
import { Link, useSearchParams } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { LISTED_REPORTS, REPORT_GROUPS, foundReports, type ReportGroup } from './index.rules.ts'
import { REPORT_RIGHTS } from './rights.contract.ts'
import css from './figures.module.css'

const PinnedReports = part(async () => (await import('../own/pins.web.tsx')).default)
/** All reports that the reader may open, found by words: of a report, its figures, and by what they are told apart. */
export default function Reports() {
  const t = useT('reports')
  const say = useLabel()
  const { may, can } = useMe()
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
    <Page
      title={t('reports')}
      subtitle={t('reports_text')}
      action={
        can(...REPORT_RIGHTS) && (
          <Group gap={8}>
            <Button component={Link} to="/reports/differ" variant="default">
              {t('differ')}
            </Button>
            <Button component={Link} to="/reports/own" variant="default">
              {t('own_reports')}
            </Button>
          </Group>
        )
      }
    >
      <Stack>
        {can(...REPORT_RIGHTS) && !typed && (
          <Suspense>
            <PinnedReports />
          </Suspense>
        )}
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
