import { UnstyledButton } from '@mantine/core'
import { useMe } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, screenAt } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import css from './management.module.css'

/** Parts of the management, each with a sentence. What the reader may not open is not shown. */
const PARTS = [
  ['/management/stages', 'stages'],
  ['/management/stage_groups', 'stage_groups'],
  ['/settings/current_terms', 'current_terms'],
  ['/management/marks', 'marks'],
  ['/management/markCategories', 'mark_categories'],
  ['/schedule-settings', 'schedule'],
  ['/settings/university', 'university'],
  ['/management/enrollment', 'enrollment'],
  ['/management/graduation_certificate', 'graduation'],
  ['/universities-list', 'universities'],
  ['/university-faculties', 'university_faculties'],
  ['/schools-list', 'schools'],
  ['/management/notice_texts', 'notice_texts'],
  ['/settings/import', 'import'],
  ['/settings/operations', 'operations'],
  ['/settings/retention', 'retention'],
  ['/deployment', 'deployment'],
  ['/development', 'development'],
  ['/settings/logs', 'audit'],
  ['/settings/logs/security', 'logs'],
] as const

/** The hub of what is set up once and then rarely. */
export default function ManagementScreen() {
  const t = useT('settings')
  const me = useMe()
  return (
    <Page title={t('management')}>
      <div className={css.parts}>
        {PARTS.map(([path, key]) => {
          const screen = screenAt(path)
          if (!screen || !me.opens(screen)) return null
          return (
            <UnstyledButton key={path} component={Link} to={path} className={css.part}>
              <strong>{t(`part_${key}`)}</strong>
              <span>{t(`part_${key}_text`)}</span>
            </UnstyledButton>
          )
        })}
      </div>
    </Page>
  )
}
