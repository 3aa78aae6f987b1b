// SPDX-License-Identifier: Apache-2.0
// Empty on purpose: this library has nothing but the name libtorch.so. See open_umbrella in package_model.cc.
