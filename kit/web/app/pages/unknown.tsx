import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { Empty } from '../../feedback/problems.tsx'
import { useT } from '../../i18n/catalogue.ts'
import { Page } from '../../shell/page.tsx'

/** An address that no screen has, told among menu and bars. */
export default function Unknown() {
  const t = useT('kit')
  const navigate = useNavigate()
  return (
    <Page title={t('not_found_title')}>
      <Empty
        title={t('not_found_text')}
        action={
          <>
            <Button variant="default" onClick={() => void navigate(-1)}>
              {t('go_back')}
            </Button>
            <Button component={Link} to="/">
              {t('go_home')}
            </Button>
          </>
        }
      />
    </Page>
  )
}
