import { crawlers } from '#almanac/datasets/crawlers.ts';
import { recordTool } from './operations.ts';

export const getCrawler = recordTool(crawlers, {
  name: 'get_crawler',
  title: 'Look up a crawler',
  description:
    'Returns one crawler or agent by its id: who operates it, what it fetches for, its robots.txt token, whether it honours robots.txt and how to verify that a request comes from it.',
  parameter: 'id',
  meaning: 'Id of the crawler, such as "gptbot".',
  example: 'gptbot',
});
