// SPDX-License-Identifier: Apache-2.0
// How large each dimension of a model's inputs is to be: by its name, by an input that was given, by the batch. Types
// and ranks are not its business.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/tensor/input_plan.h"

namespace strobe {

using ArraysByName = std::map<std::string, NpyArray>;

// Names of the dynamic dimensions, each once; those that are also the name of an input are left out: the input wins.
std::vector<std::string> dimension_names(const std::vector<DeclaredInput>&);

// The dimension that counts items: one whose name says so, else the first where it is dynamic.
std::optional<std::size_t> batch_dimension(const DeclaredInput&);

class DimensionSizes {
 public:
  // Given shapes must fit their inputs. Throws a usage Error where two things that were typed disagree.
  DimensionSizes(const std::vector<DeclaredInput>&, const ModelOptions&, const ArraysByName& files);

  std::optional<std::int64_t> of(const DeclaredInput&, std::size_t dimension) const;  // nothing: nobody said

  // Whether --batch sets one of its dimensions. The first number of a given shape is a default; of an input that has
  // another one than the model's batch it is no batch.
  bool takes_batch(const DeclaredInput&) const;

 private:
  struct Said {
    std::int64_t size;
    std::string by;  // the option, for a complaint
  };

  const std::vector<std::int64_t>* given(const DeclaredInput&) const;
  std::string given_by(const DeclaredInput&) const;
  std::optional<std::int64_t> own_size(const DeclaredInput&, std::size_t dimension) const;
  void collect(const std::vector<DeclaredInput>&);
  void note(const std::string& name, std::int64_t size, const std::string& by);
  void check_files(const std::vector<DeclaredInput>&) const;

  const ModelOptions& o_;
  const ArraysByName& files_;
  const DeclaredInput* lead_;          // its batch is the model's; null: no input has one
  std::map<std::string, Said> named_;  // sizes by name
  std::int64_t default_batch_ = 1;     // where --batch is not given
};

}  // namespace strobe
