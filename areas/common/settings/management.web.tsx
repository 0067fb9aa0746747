import { TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty } from '#kit/web/feedback/index.ts'
import { fold, useT } from '#kit/web/i18n/index.ts'
import { Link, screenAt } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import css from './management.module.css'

/** What is set up once and then rarely, by subject. What the reader may not open is not shown. */
const PARTS: Readonly<Record<string, readonly (readonly [path: string, key: string])[]>> = {
  studies: [
    ['/management/stages', 'stages'],
    ['/management/stage_groups', 'stage_groups'],
    ['/settings/current_terms', 'current_terms'],
    ['/management/marks', 'marks'],
    ['/management/markCategories', 'mark_categories'],
    ['/specializations', 'specializations'],
    ['/settings/placement_test', 'placement_tests'],
  ],
  calendar: [
    ['/schedule-settings', 'schedule'],
    ['/calendar-events', 'calendar_events'],
    ['/settings/hijri-months', 'hijri'],
  ],
  people: [
    ['/people/merge', 'merge'],
    ['/tags', 'tags'],
    ['/job-titles', 'job_titles'],
    ['/document-kinds', 'document_kinds'],
    ['/certificate-settings', 'certificate_settings'],
    ['/certificates_dates', 'certificate_dates'],
    ['/signing-positions', 'signing_positions'],
    ['/paper-issuers', 'paper_issuers'],
    ['/service-kinds', 'service_kinds'],
    ['/course-file-parts', 'course_file_parts'],
    ['/offering-report-questions', 'report_questions'],
    ['/thesis-rules', 'thesis_rules'],
    ['/early-warning-rules', 'early_warning_rules'],
    ['/early-warning-models', 'early_warning_models'],
    ['/training-organisations', 'training_organisations'],
    ['/emtyaz/years', 'emtyaz_years'],
    ['/emtyaz/training-types', 'emtyaz_types'],
    ['/emtyaz/hospitals', 'emtyaz_hospitals'],
    ['/emtyaz/logbook-types', 'logbook_types'],
    ['/emtyaz/duty-kinds', 'duty_kinds'],
    ['/ranked-journals', 'ranked_journals'],
    ['/external-examiners', 'external_examiners'],
    ['/universities-list', 'universities'],
    ['/university-faculties', 'university_faculties'],
    ['/schools-list', 'schools'],
  ],
  admission: [
    ['/certificate-types', 'certificate_types'],
    ['/certificate-subjects', 'certificate_subjects'],
    ['/communities', 'communities'],
  ],
  money: [
    ['/settings/payment', 'payment'],
    ['/finanicials-settings-reports', 'payment_report'],
    ['/fee-items', 'fee_items'],
    ['/nationality-groups', 'nationality_groups'],
    ['/reminder-steps', 'reminder_steps'],
    ['/scholarships/kinds', 'scholarships'],
    ['/bank-settings', 'banks'],
    ['/ledger-accounts', 'ledger_accounts'],
  ],
  papers: [
    ['/management/enrollment', 'enrollment'],
    ['/management/graduation_certificate', 'graduation'],
    ['/papers_types', 'paper_types'],
    ['/management/notice_texts', 'notice_texts'],
    ['/ticket-groups', 'ticket_groups'],
    ['/answer-texts', 'answer_texts'],
  ],
  access: [
    ['/settings/rights/reviews', 'rights_reviews'],
    ['/settings/second-factor', 'second_factor'],
    ['/settings/saml', 'saml'],
    ['/settings/directories', 'directories'],
    ['/settings/retention', 'retention'],
    ['/settings/logs', 'audit'],
    ['/settings/logs/security', 'logs'],
  ],
  system: [
    ['/settings/university', 'university'],
    ['/settings/import', 'import'],
    ['/offerings/lms', 'lms'],
    ['/settings/operations', 'operations'],
    ['/deployment', 'deployment'],
    ['/development', 'development'],
  ],
}

/** The hub of what is set up once and then rarely. */
export default function ManagementScreen() {
  const t = useT('settings')
  const me = useMe()
  const [search, setSearch] = useState('')
  const typed = fold(search.trim())
  const shown = Object.entries(PARTS).flatMap(([subject, parts]) => {
    const open = parts.flatMap(([path, key]) => {
      // A list may have its page in the address.
      const screen = screenAt(path) ?? screenAt(`${path}/:page?`)
      if (!screen || !me.opens(screen)) return []
      const [title, text] = [t(`part_${key}` as 'part_stages'), t(`part_${key}_text` as 'part_stages_text')]
      return !typed || fold(`${title} ${text}`).includes(typed) ? [{ path, title, text }] : []
    })
    return open.length ? [{ subject, open }] : []
  })
  return (
    <Page title={t('management')}>
      <TextInput
        className={css.search}
        aria-label={t('setup_search')}
        placeholder={t('setup_search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.map(({ subject, open }) => (
        <section key={subject} className={css.subject} aria-labelledby={`setup-${subject}`}>
          <h2 id={`setup-${subject}`}>{t(`setup_${subject}` as 'setup_studies')}</h2>
          <div className={css.parts}>
            {open.map(({ path, title, text }) => (
              <UnstyledButton key={path} component={Link} to={path} className={css.part}>
                <strong>{title}</strong>
                <span>{text}</span>
              </UnstyledButton>
            ))}
          </div>
        </section>
      ))}
      {shown.length === 0 && <Empty title={t('setup_nothing', { search: search.trim() })} />}
    </Page>
  )
}
