import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { NearestTests } from './nearest-tests.js'

/** StrykerJS's plugin: the runner `nearest-tests`. */
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'nearest-tests', () => new NearestTests())]
