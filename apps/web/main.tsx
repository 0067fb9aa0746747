import './policy.ts'
import '@mantine/core/styles.layer.css'
import '#kit/web/theme/theme.css'
import { start } from '#kit/web/app/start.tsx'
import { AREA_WEBS, PLAIN_RESOURCES, SEARCHED, OUTLETS } from './areas.ts'

void start({ areas: AREA_WEBS, plain: PLAIN_RESOURCES, outlets: OUTLETS, searched: SEARCHED })
