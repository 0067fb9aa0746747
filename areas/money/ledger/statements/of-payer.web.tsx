export { StatementOfPayer as default } from './statement.web.tsx'
